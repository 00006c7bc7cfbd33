import { type Failure, messageOf } from "../../core/failure/failure";
import type * as Esbuild from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import type { BuildFailure } from "esbuild";
import { isObject, parseTrustedJson } from "../../core/json/plain-json";
import { hasCode } from "../../core/process/system-error";
import { toolRunner } from "../exec/run-command";
import { CommandError, ExitCode } from "../invocation/failure";
import { terraformPlatform } from "../package/platform";
import { type Bundler, messageText } from "../provider-package/bundle";
import { compiledProviders } from "../provider-package/compiled/compiled-package";
import { runtimeFolder, runtimeStore } from "../provider-package/compiled/runtime-store";
import { isLicenceError } from "../provider-package/licences/permitted";
import {
  providerPackage,
  type ProviderPackage,
  writePackage,
} from "../provider-package/provider-package";
import { type ProviderArchive, providerArchive } from "../provider-package/registry-release";
import type { RequestedPlatforms } from "./options";

/** The package of a provider's main module. */
export interface SourceProject {
  /** Its folder: the nearest one above the module with a package.json; otherwise that of the module. */
  readonly root: string;
  /** The main module, relative to the folder. */
  readonly entry: string;
  /** The version in its package.json. */
  readonly version: string | undefined;
}

/**
 * Finds the package of a provider's main module.
 *
 * @throws CommandError if there is no such module, or if package.json is not JSON
 */
export function sourceProject(main: string, workingFolder: string): SourceProject {
  const file = resolve(workingFolder, main);
  if (!existsSync(file)) {
    throw new CommandError(
      `The file ${file} does not exist.`,
      "Pass the module that calls `serve`, such as src/main.ts.",
      ExitCode.usage,
    );
  }
  const manifest = manifestAbove(dirname(file));
  const root = manifest === undefined ? dirname(file) : dirname(manifest);
  const entry = `./${relative(root, file).replaceAll("\\", "/")}`;
  return { root, entry, version: manifest === undefined ? undefined : versionIn(manifest) };
}

function manifestAbove(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : manifestAbove(dirname(folder));
}

function versionIn(manifest: string): string | undefined {
  try {
    const read = parseTrustedJson(readFileSync(manifest, "utf8"));
    return isObject(read) && typeof read["version"] === "string" ? read["version"] : undefined;
  } catch (cause) {
    const message = messageOf(cause);
    throw new CommandError(
      `${manifest} cannot be read: ${message}.`,
      "Correct the file. Without --provider-version, the provider has its version.",
      undefined,
      { cause },
    );
  }
}

/** The provider to pack. */
interface PackedProvider extends Pick<SourceProject, "root" | "entry"> {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  /** The oldest version of Node.js that runs it. */
  readonly minimumNode: string;
  /** SPDX licences, and packages as `name@version`, that may be bundled besides permissive licences. */
  readonly permitted: readonly string[];
}

/** The packed archives for each platform. */
interface ProviderArchives {
  readonly archives: ReadonlyMap<string, ProviderArchive>;
  readonly warnings: readonly string[];
}

/**
 * Packs a provider for some platforms. Starts each package that this machine can run.
 *
 * @throws CommandError if it cannot be bundled or compiled, or does not start
 */
export async function providerArchives(
  bundler: Bundler,
  provider: PackedProvider,
  { bundled, compiled }: RequestedPlatforms,
): Promise<ProviderArchives> {
  const parts = [
    ...(bundled.length > 0 ? [await bundledArchives(bundler, provider, bundled)] : []),
    ...(compiled.length > 0 ? [await compiledArchives(bundler, provider, compiled)] : []),
  ];
  return {
    archives: new Map(parts.flatMap(({ archives }) => [...archives])),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  };
}

async function bundledArchives(
  bundler: Bundler,
  { source, ...provider }: PackedProvider,
  platforms: readonly string[],
): Promise<ProviderArchives> {
  // The HTTPS clients of a provider may not know a renamed variable.
  const options = { ...provider, defersCertificates: false };
  const made = await bundling(providerPackage(bundler, options));
  await tryStart(made, source);
  const archive = providerArchive(made);
  return {
    archives: new Map(platforms.map((each) => [each, archive])),
    warnings: made.warnings,
  };
}

async function compiledArchives(
  bundler: Bundler,
  { root, entry, name, version, source, permitted }: PackedProvider,
  platforms: readonly string[],
): Promise<ProviderArchives> {
  const entries = new Map([[name, entry]]);
  const { packagesFor, warnings } = await bundling(
    compiledProviders(bundler, { root, entries, version, permitted }),
  );
  const runtimes = runtimeStore(runtimeFolder(process.env));
  const host = terraformPlatform();
  const archives = new Map<string, ProviderArchive>();
  for (const platform of platforms) {
    for (const made of await compiling(packagesFor({ platform, host, runtimes }))) {
      if (platform === host) await tryStart(made, source);
      archives.set(platform, providerArchive(made));
    }
  }
  return { archives, warnings };
}

async function bundling<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (cause) {
    if (isLicenceError(cause)) throw licenceFailure(cause);
    if (!isBuildFailure(cause)) throw cause;
    const errors = cause.errors.map(messageText).join("\n");
    throw new CommandError(
      `The provider cannot be bundled.\n${errors}`,
      "Correct the errors above. Everything that the provider imports must be installed, and native parts (.node) " +
        "and top-level await cannot be bundled.",
      undefined,
      { cause },
    );
  }
}

function licenceFailure(cause: Failure): CommandError {
  return new CommandError(
    `The provider would contain packages whose licences may not permit that.\n${cause.message}`,
    "Replace the packages. If you have read a licence, and comply with it, permit it: --permit MPL-2.0, or " +
      "--permit NAME@VERSION for a single package.",
    undefined,
    { cause },
  );
}

async function compiling<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (cause) {
    throw new CommandError(
      `The provider cannot be compiled. ${messageOf(cause)}`,
      "npm must be able to download Bun once: `npm config get registry` shows from where.",
      undefined,
      { cause },
    );
  }
}

const isBuildFailure = (failure: unknown): failure is BuildFailure =>
  failure instanceof Error && isObject(failure) && Array.isArray(failure["errors"]);

const firstLines = (text: string): string => text.trim().split("\n").slice(0, 12).join("\n");

/**
 * Starts a packed provider once, and compares what it reports with its package. If the names or versions differed, Terraform
 * would start it, but show a wrong version in errors and logs.
 *
 * @throws CommandError if it does not start, or reports something else
 */
async function tryStart(made: ProviderPackage, source: string): Promise<void> {
  const { name, version, executable } = made;
  const folder = await mkdtemp(join(tmpdir(), "trivet-pack-"));
  try {
    await writePackage(join(folder, "package"), made);
    const run = toolRunner(process.env);
    const started = join(folder, "package", executable);
    const answers = await run(started, ["--version"]);
    if (answers.kind === "missing" || !answers.ok) {
      throw new CommandError(
        `The packed provider does not start.\n${answers.kind === "missing" ? "" : firstLines(answers.stderr || answers.stdout)}`.trim(),
        "A package that reads files next to its modules, or has a native part, cannot be bundled. " +
          "The main module must call `serve` of @trivet/provider-kit/host.",
      );
    }
    const expected = `terraform-provider-${name} ${version}`;
    if (answers.stdout.trim() !== expected) {
      throw new CommandError(
        `The packed provider reports that it is ${JSON.stringify(firstLines(answers.stdout))}, but its package is ${JSON.stringify(expected)}.`,
        `Give \`serve\` the name ${JSON.stringify(name)} and \`version: process.env["TRIVET_PROVIDER_VERSION"] ?? "0.0.0"\`: ` +
          "packing replaces the variable with the version.",
      );
    }
    const usage = await run(started, ["--help"]);
    const [, said] =
      usage.kind === "missing" ? [] : (/^\s+source\s+= "(.*)"$/m.exec(usage.stdout) ?? []);
    if (said !== source && `registry.terraform.io/${said ?? ""}` !== source) {
      throw new CommandError(
        `The packed provider reports the source ${JSON.stringify(said ?? "")}, but --source is ${JSON.stringify(source)}.`,
        "Give `serve` and `trivet-provider pack` the same source.",
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Loads esbuild for the provider's package, otherwise for the kit. It is an optional peer dependency, because only packing
 * needs it.
 *
 * @param root the folder of the provider's package
 * @throws CommandError if it is not installed
 */
export function loadBundler(root: string): typeof Esbuild {
  for (const from of [join(root, "package.json"), __filename]) {
    try {
      return createRequire(from)("esbuild") as typeof Esbuild;
    } catch (failure) {
      if (!hasCode(failure, "MODULE_NOT_FOUND")) throw failure;
    }
  }
  throw new CommandError(
    "`trivet-provider pack` bundles the provider with esbuild, which is not installed.",
    "Run `npm install --save-dev esbuild` in the provider's folder.",
  );
}
