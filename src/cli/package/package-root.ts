import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this package, wherever it is installed: the nearest one above whose name is ours. */
export function packageRoot(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && readManifest(manifest).name === "trivet") return folder;
    if (dirname(folder) === folder) throw new Error(`no package.json of trivet above ${__dirname}`);
  }
}

export function packageVersion(): string {
  return readManifest(join(packageRoot(), "package.json")).version ?? "unknown";
}

function readManifest(path: string): { name?: string; version?: string } {
  return JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
}
