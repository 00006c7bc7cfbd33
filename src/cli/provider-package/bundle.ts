import { basename } from "node:path";
import type * as Esbuild from "esbuild";
import { type BundledCode, isLegalFile, legalComments } from "./licences/notices";
import { bundledModules } from "./licences/third-parties";
import { type SplitFile, packFiles } from "./pack-files";

/** esbuild, passed in by the caller because only packing needs it. */
export type Bundler = Pick<typeof Esbuild, "build" | "transform">;

/** The code to bundle. */
interface Source {
  /** The folder from which modules and packages are found. */
  readonly root: string;
  /** Its main module, relative to the folder. */
  readonly entry: string;
  /** Name of the bundle, without an extension. */
  readonly name: string;
  /** Expressions, such as `process.env.NAME`, and the code that replaces each of them. */
  readonly define: Readonly<Record<string, string>>;
}

interface Program extends Source {
  /** The first statement that runs. */
  readonly banner: string;
}

/** Bundled code, in CommonJS. */
interface Bundle<File> extends BundledCode {
  /** By file name; `<name>.cjs` is the entry. */
  readonly files: ReadonlyMap<string, File>;
  /** Code that may not work at run time, such as a use of `import.meta.resolve`. */
  readonly warnings: readonly string[];
}

/**
 * Bundles a program like {@link splitBundle}, and packs small files together.
 *
 * @throws esbuild's failure if a module is not found or cannot be read; nothing is printed
 */
export async function bundle(bundler: Bundler, program: Program): Promise<Bundle<string>> {
  const { name, banner } = program;
  const split = await splitBundle(bundler, program);
  const main = `${name}.cjs`;
  const packed = packFiles({ files: split.files, entry: main, banner });
  const { code } = await bundler.transform(packed.get(main) ?? "", {
    minify: true,
    logLevel: "silent",
  });
  return { ...split, files: packed.set(main, code) };
}

/**
 * Bundles code. Modules behind a dynamic import go into separate files, which are read when they are needed, so that heavy
 * libraries do not slow down the start. Code that two files share moves into a third, so that classes are not duplicated.
 *
 * esbuild can split only ES modules, but CommonJS starts faster and needs no package.json next to it, so the bundle is split
 * first, and then each file is translated. The output depends only on the sources, not on the folder.
 *
 * @throws esbuild's failure if a module is not found or cannot be read; nothing is printed
 */
export async function splitBundle(
  bundler: Bundler,
  { root, entry, name, define }: Source,
): Promise<Bundle<SplitFile>> {
  const split = await bundler.build({
    absWorkingDir: root,
    entryPoints: [{ in: entry, out: name }],
    outdir: "out",
    outExtension: { ".js": ".cjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "external",
    define,
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const made = new Map(
    Object.entries(split.metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const files = new Map<string, SplitFile>();
  const warnings = split.warnings.map(messageText);
  for (const file of split.outputFiles.filter((each) => !isLegalFile(each))) {
    const fileName = basename(file.path);
    const { code, warnings: own } = await bundler.transform(file.text, {
      format: "cjs",
      platform: "node",
      target: "node20",
      supported: { "dynamic-import": false },
      ...fileUrl(file.text),
      minify: true,
      legalComments: "none",
      logLevel: "silent",
    });
    warnings.push(...own.map(({ text }) => text));
    const { imports = [], entryPoint } = made.get(fileName) ?? {};
    const needed = (kind: string): string[] =>
      imports
        .filter((each) => each.kind === kind && each.external !== true)
        .map(({ path }) => basename(path));
    files.set(fileName, {
      name: fileName,
      code: isCommonJs(split.metafile, entryPoint) ? code + namesOfDefault : code,
      isShared: entryPoint === undefined,
      statics: needed("import-statement"),
      dynamics: needed("dynamic-import"),
    });
  }
  return {
    files,
    warnings: [...new Set(warnings)],
    modules: bundledModules(split.metafile),
    comments: legalComments(split.outputFiles),
  };
}

/** Checks whether a file of the bundle was made for a dynamic import of a CommonJS module. */
const isCommonJs = ({ inputs }: Esbuild.Metafile, entryPoint: string | undefined): boolean =>
  entryPoint !== undefined && inputs[entryPoint]?.format === "cjs";

/** esbuild exports such a module as `default` only. Node.js's dynamic import also finds its names. */
const namesOfDefault =
  ";(function(to){const from=to.default;" +
  'if(from&&(typeof from==="object"||typeof from==="function"))' +
  "for(const name of Object.keys(from))if(!(name in to))" +
  "Object.defineProperty(to,name,{enumerable:true,get:()=>from[name]})})(module.exports);";

/** Replaces `import.meta.url`, which CommonJS lacks, with the URL of the file in the package. */
function fileUrl(text: string): Esbuild.TransformOptions {
  if (!text.includes("import.meta.url")) return {};
  return {
    define: { "import.meta.url": "importMetaUrl" },
    banner: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;',
  };
}

/** Formats a message of esbuild on one line, with the position in the sources. */
export function messageText({ text, location }: Esbuild.Message): string {
  return location === null ? text : `${location.file}:${location.line}: ${text}`;
}
