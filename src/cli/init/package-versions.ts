import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTrustedJson } from "../../json/plain-json";

/**
 * The exact versions of the packages that a new project can depend on, with which this package is developed and
 * tested, by their names. The build writes them.
 *
 * @param root the folder of this package
 */
export function packageVersions(root: string): Readonly<Record<string, string>> {
  const file = join(root, "dist", "src", "cli", "init", "versions.json");
  return parseTrustedJson(readFileSync(file, "utf8")) as Readonly<Record<string, string>>;
}
