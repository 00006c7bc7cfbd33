import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseTrustedJson } from "../../json/plain-json";

/** Returns the folder of this package: the nearest parent folder whose package.json has our name. */
export function packageRoot(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && readManifest(manifest).name === "trivet") return folder;
    if (dirname(folder) === folder)
      throw new Error(`trivet's package.json not found above ${__dirname}`);
  }
}

/** Returns the version of this package. */
export function packageVersion(): string {
  return readManifest(join(packageRoot(), "package.json")).version ?? "unknown";
}

/** Returns the oldest version of Node.js that runs this package and its products, such as `20.20`. */
export function minimumNode(): string {
  return (
    readManifest(join(packageRoot(), "package.json")).engines?.node?.replace(/^>=/, "") ?? "20"
  );
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

function readManifest(path: string): Manifest {
  return parseTrustedJson(readFileSync(path, "utf8")) as Manifest;
}
