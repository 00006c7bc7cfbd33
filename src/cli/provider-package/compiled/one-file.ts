import type { Bundler } from "../bundle";
import { messageText } from "../bundle";
import { isLegalFile, legalComments } from "../licences/legal-comments";
import type { BundledCode } from "../licences/notices";
import { bundledModules } from "../licences/third-parties";

/** The programs to put in one file. */
export interface Programs {
  /** The folder from which modules and packages are found. */
  readonly root: string;
  /** Name of each provider, and its main module, relative to the folder. */
  readonly entries: ReadonlyMap<string, string>;
  /** Expressions, such as `process.env.NAME`, and the code that replaces each of them. */
  readonly define: Readonly<Record<string, string>>;
}

/** The code of {@link Programs}. */
interface OneFile extends BundledCode {
  readonly code: string;
  readonly warnings: readonly string[];
}

/**
 * Bundles providers into one file for an executable, which splitting would not make faster. Each module still
 * runs when it is first needed.
 *
 * @throws esbuild's failure if a module is not found or cannot be read; nothing is printed
 */
export async function oneFile(
  bundler: Bundler,
  { root, entries, define }: Programs,
): Promise<OneFile> {
  const { outputFiles, warnings, metafile } = await bundler.build({
    absWorkingDir: root,
    stdin: { contents: mainModule(entries), resolveDir: root, sourcefile: "main.js" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "external",
    outfile: "provider.cjs",
    // No module is in a separate file anymore.
    define: { ...define, "import.meta.url": '"file:///provider.cjs"' },
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return {
    code: outputFiles.find((each) => !isLegalFile(each))?.text ?? "",
    warnings: [...new Set(warnings.map(messageText))],
    modules: bundledModules(metafile),
    comments: legalComments(outputFiles),
  };
}

/**
 * Returns the main module, which with several providers is chosen by the name under which Terraform starts
 * the executable.
 */
function mainModule(entries: ReadonlyMap<string, string>): string {
  const [only] = entries.values();
  if (entries.size === 1 && only !== undefined) return `import ${JSON.stringify(moduleId(only))};`;
  const starts = [...entries].map(
    ([name, entry]) => `[${JSON.stringify(name)},()=>import(${JSON.stringify(moduleId(entry))})]`,
  );
  const names = [...entries.keys()].join(", ");
  return `import { basename } from "node:path";
const starts = new Map([${starts.join(",")}]);
const called = basename(process.argv0);
const [, name] = /^terraform-provider-(.+?)(?:_v.*)?(?:\\.exe)?$/.exec(called) ?? [];
const start = starts.get(name);
if (start === undefined) {
  console.error("This executable contains the providers ${names}. It starts the one whose name it has, such as " +
    "terraform-provider-${[...entries.keys()][0] ?? ""}. Its name is " + JSON.stringify(called) + ".");
  process.exit(1);
}
void start();
`;
}

const moduleId = (entry: string): string => (entry.startsWith("./") ? entry : `./${entry}`);
