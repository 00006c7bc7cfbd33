import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Returns the content of all files below a folder, by their path in it, with slashes. */
export function textsIn(folder: string): (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(folder, file).replaceAll(sep, "/"), readFileSync(file, "utf8")]);
}

/**
 * Returns the path in a project for a file of the templates. npm leaves files named `.gitignore` out of
 * packages.
 */
export const pathInProject = (path: string): string => (path === "gitignore" ? ".gitignore" : path);

/**
 * Returns the exact versions of packages, by their names.
 *
 * @throws Error when the version of a package is unknown
 */
export function exactVersions(
  names: readonly string[],
  versions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, versionOf(name, versions)]));
}

function versionOf(name: string, versions: Readonly<Record<string, string>>): string {
  const version = versions[name];
  if (version === undefined) throw new Error(`the templates use ${name}, whose version is unknown`);
  return version;
}

/** Returns the files of a project in the order of their paths, each with its names filled in. */
export function filledIn(
  files: Iterable<readonly [path: string, text: string]>,
  fill: (path: string, text: string) => string,
): ReadonlyMap<string, string> {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([path, text]) => [path, fill(path, text)]));
}
