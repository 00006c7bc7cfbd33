import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isObject, parseTrustedJson } from "../../core/json/plain-json";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

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
      `There is no file ${file}.`,
      "Name the module that calls `serve`, such as src/main.ts.",
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
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `${manifest} cannot be read: ${message}.`,
      "Correct the file. Its version is the provider's, unless --provider-version is given.",
      undefined,
      { cause },
    );
  }
}
