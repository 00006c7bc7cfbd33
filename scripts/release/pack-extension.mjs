// @ts-check
import { execFileSync } from "node:child_process";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../providers.mjs";

/** The first second that a zip file can contain, since 1970. */
const earliest = Date.UTC(1980, 0, 1) / 1000;

/**
 * Packs an extension for VS Code with its own packer, which is installed first: it is large, and nothing else needs it.
 * The same files give the same bytes with the same version of Node.js, as in the npm packages.
 *
 * @param {string} folder with the files of the extension
 * @param {string} file to write
 */
export async function packExtension(folder, file) {
  const packer = join(root, "scripts", "release", "vsce");
  // Without the programs that sign for the Marketplace and keep its passwords.
  const install = ["ci", "--silent", "--ignore-scripts", "--omit=optional", "--prefer-offline"];
  execFileSync("npm", install, { cwd: packer, stdio: "inherit" });
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);
  const vsce = join(packer, "node_modules", "@vscode", "vsce", "vsce");
  execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--out", file], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(earliest), TZ: "UTC" },
  });
}
