import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The exact versions of the packages with which this package is developed and tested, by their names.
 *
 * @param root the folder of this package
 */
export function packageVersions(root: string): Readonly<Record<string, string>> {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return devDependencies;
}
