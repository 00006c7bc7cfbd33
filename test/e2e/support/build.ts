import { existsSync, readdirSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { startCommand, succeeded } from "./command";
import { onlyOnce } from "./only-once";

export const root = join(__dirname, "..", "..", "..");
const built = join(root, "dist", "providers", "versions.json");
const sources = ["src", "bindings", "stacks", "scripts", "package.json"];

/** Builds the package when a source is newer than it; only one test file does so at a time. */
export function buildWhenStale(): Promise<void> {
  const lock = join(root, "node_modules", ".trivet-e2e-build");
  return onlyOnce(lock, () => isNewer(built, sources), build);
}

/** The command that starts a packaged provider of this build, with Node.js or compiled. */
export function packagedProvider(name: string): readonly [string, ...string[]] {
  const folder = join(root, "dist", "providers", name);
  const bundle = join(folder, "provider.cjs");
  if (existsSync(bundle)) return [process.execPath, bundle];
  const executable = readdirSync(folder).find((each) => each.startsWith("terraform-provider-"));
  if (executable === undefined) throw new Error(`${folder} contains no provider`);
  return [join(folder, executable)];
}

async function build(): Promise<void> {
  const args = ["scripts/build.mjs", "--quiet"];
  await succeeded(
    "npm run build",
    startCommand(process.execPath, args, { cwd: root, env: process.env }),
  );
}

/** Whether a file exists, and is newer than some files of the checkout and all files in some folders. */
export async function isNewer(file: string, than: readonly string[]): Promise<boolean> {
  const made = await stat(file).catch(() => undefined);
  const times = await Promise.all(than.map((path) => newest(join(root, path))));
  return made !== undefined && made.mtimeMs > Math.max(...times);
}

async function newest(path: string): Promise<number> {
  const entry = await stat(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
  // That of the folder is when a file was last added to it, or removed.
  return Math.max(entry.mtimeMs, ...times);
}
