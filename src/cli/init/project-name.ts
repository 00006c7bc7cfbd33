import { basename } from "node:path";

/**
 * Derives a package name that npm accepts from the name of a project's folder.
 *
 * @param folder an absolute path
 * @param taken names that the package cannot have, because it depends on packages of these names
 */
export function projectName(folder: string, taken: readonly string[]): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z\d._-]+/g, "-")
    .replaceAll(/^[._-]+|[._-]+$/g, "")
    // npm allows 214 characters.
    .slice(0, 200);
  if (name === "") return "infrastructure";
  return taken.includes(name) || name === "node_modules" ? `${name}-project` : name;
}
