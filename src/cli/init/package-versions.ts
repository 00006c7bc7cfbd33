import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTrustedJson } from "../../core/json/plain-json";

/**
 * Returns the exact versions, by name, of the packages that a new project can depend on. This package is
 * developed and tested with them. The build writes them.
 *
 * @param root the folder of this package
 */
export function packageVersions(root: string): Readonly<Record<string, string>> {
  const file = join(root, "dist", "src", "cli", "init", "versions.json");
  return parseTrustedJson(readFileSync(file, "utf8")) as Readonly<Record<string, string>>;
}
