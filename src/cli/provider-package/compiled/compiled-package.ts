import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { standardErrorOf } from "../../../core/process/system-error";
import { type Bundler, messageText } from "../bundle";
import {
  type BundledCode,
  isLegalFile,
  legalComments,
  licenceNotices,
  type Notices,
  noticesFile,
  noticesFor,
  uniteNotices,
} from "../licences/notices";
import { bundledModules } from "../licences/third-parties";
import {
  type PackageOptions,
  type ProviderPackage,
  definitions,
  developmentVersion,
  versionPlaceholder,
} from "../provider-package";
import { runtimeFor, runtimeNotice, type RuntimeStore, runtimeVersion } from "./runtime-store";

/** The programs to compile, and the settings. */
interface CompiledOptions
  extends Pick<Programs, "root" | "entries">, Pick<PackageOptions, "hasTestedDeclarations"> {
  /** @default a development version, derived from the code */
  readonly version?: string | undefined;
  /** Licences of bundled packages, as for {@link noticesFor}. */
  readonly permitted?: readonly string[] | undefined;
}

/** Providers that are ready to be compiled for any platform. */
export interface CompiledProviders {
  readonly version: string;
  /** The names of the providers. */
  readonly names: readonly string[];
  /** The warnings of esbuild. */
  readonly warnings: readonly string[];
  /**
   * Compiles one executable with all providers, and returns the package of each.
   *
   * @throws Error if there is no runtime for a platform, or if Bun fails
   */
  readonly packagesFor: (
    target: Pick<CompileOptions, "platform" | "host" | "runtimes">,
  ) => Promise<readonly ProviderPackage[]>;
}

/**
 * Prepares providers as executables that need no Node.js. The executable contains all providers, and starts the one with its
 * own file name, so all packages can contain the same file.
 *
 * @throws esbuild's failure if a provider cannot be bundled
 * @throws LicenceError if a package must not be bundled
 */
export async function compiledProviders(
  bundler: Bundler,
  { root, entries, version: release, permitted, hasTestedDeclarations }: CompiledOptions,
): Promise<CompiledProviders> {
  const define = definitions(hasTestedDeclarations);
  const bundled = await oneFile(bundler, { root, entries, define });
  const ofPackages = await noticesFor(root, bundled, permitted);
  const parts = new Map([
    ["code", bundled.code],
    ["runtime", runtimeVersion],
    [noticesFile, licenceNotices(ofPackages)],
  ]);
  const version = release ?? developmentVersion(parts);
  const code = bundled.code.replaceAll(versionPlaceholder, version);
  const { warnings } = bundled;
  const names = [...entries.keys()];
  return {
    version,
    names,
    warnings,
    async packagesFor(target) {
      const content = await compile({ ...target, code });
      const notices = uniteNotices([ofPackages, await noticesOfRuntime(target.runtimes)]);
      const extension = target.platform.startsWith("windows_") ? ".exe" : "";
      return names.map((name) => {
        const executable = `terraform-provider-${name}_v${version}${extension}`;
        const files = new Map<string, string | Uint8Array>([
          [executable, content],
          [noticesFile, licenceNotices(notices)],
        ]);
        return { name, version, executable, files, warnings, notices };
      });
    },
  };
}

/**
 * Returns the notices of Bun, whose licences are not checked: anyone who compiles a provider accepts them. The text lists the
 * libraries that Bun links. The licence combines that of Bun and the strictest one of the libraries.
 */
async function noticesOfRuntime(runtimes: RuntimeStore): Promise<Notices> {
  const text = await readFile(await runtimes.notice(), "utf8");
  const { file, npmPackage } = runtimeNotice;
  const bun = {
    name: "bun",
    version: runtimeVersion,
    licence: "MIT AND LGPL-2.0-only AND LGPL-2.1-only",
    origin: "https://bun.com",
    folder: `node_modules/${npmPackage}`,
    texts: [{ file: `${file} of ${npmPackage}@${runtimeVersion}`, kind: "licence", text }],
  } as const;
  return { packages: [bun], comments: [] };
}

/** The code to compile, and for which platform. */
export interface CompileOptions {
  /** The code of {@link oneFile}. */
  readonly code: string;
  /** The platform that runs the executable, such as `windows_amd64`. */
  readonly platform: string;
  /** This machine's platform, on which it is compiled. */
  readonly host: string;
  readonly runtimes: RuntimeStore;
}

const compileMs = 300_000;

/**
 * - The code is compiled in advance, and rarely compiled again while it runs: most providers run for a fraction of a second.
 * - Files in the working folder must neither run code nor set variables.
 */
const options = [
  "--compile",
  "--bytecode",
  "--compile-jit-policy=3",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

/**
 * Compiles code to an executable that contains its runtime. The same code gives the same bytes.
 *
 * @throws Error if there is no runtime for a platform, or if Bun fails
 */
export async function compile({ code, platform, host, runtimes }: CompileOptions): Promise<Buffer> {
  const { target } = runtimeFor(platform);
  const compiler = await runtimes.runtime(host);
  const runtime = platform === host ? compiler : await runtimes.runtime(platform);
  const folder = await mkdtemp(join(tmpdir(), "trivet-compile-"));
  try {
    await writeFile(join(folder, "provider.cjs"), code);
    const platformOptions = ["--target", target, "--compile-executable-path", runtime];
    const files = ["provider.cjs", "--outfile", "provider"];
    await promisify(execFile)(compiler, ["build", ...options, ...platformOptions, ...files], {
      cwd: folder,
      timeout: compileMs,
      // Settings for Bun's own command would apply.
      env: { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder },
    });
    const made = (await readdir(folder)).find((name) => /^provider(?:\.exe)?$/.test(name));
    if (made === undefined) throw new Error("Bun has compiled nothing.");
    return await readFile(join(folder, made));
  } catch (cause) {
    const said = standardErrorOf(cause);
    if (said === "") throw cause;
    throw new Error(`Bun cannot compile the provider for ${platform}.\n${said}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The programs to put in one file. */
interface Programs {
  /** The folder from which modules and packages are found. */
  readonly root: string;
  /** Name of each provider, and its main module, relative to the folder. */
  readonly entries: ReadonlyMap<string, string>;
  /** Expressions, such as `process.env.NAME`, and the code that replaces each of them. */
  readonly define: Readonly<Record<string, string>>;
}

interface OneFile extends BundledCode {
  readonly code: string;
  readonly warnings: readonly string[];
}

/**
 * Bundles providers into one file: splitting would not make an executable faster. Each module still runs when it is first
 * needed.
 *
 * @throws esbuild's failure if a module is not found or cannot be read; nothing is printed
 */
async function oneFile(bundler: Bundler, { root, entries, define }: Programs): Promise<OneFile> {
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
 * Returns the main module. With several providers, it selects one by the name under which Terraform starts the executable.
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
