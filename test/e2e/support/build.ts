import { existsSync, readdirSync } from "node:fs";
import { readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isProcessAlive } from "../../../src/process/process-mark";
import { startCommand, succeeded } from "./command";

export const root = join(__dirname, "..", "..", "..");
const built = join(root, "dist", "providers", "versions.json");
const sources = ["src", "bindings", "stacks", "scripts", "package.json"];

/** Builds the package when a source is newer than it; only one test file does so at a time. */
export async function buildWhenStale(): Promise<void> {
  if (await isFresh()) return;
  const lock = join(root, "node_modules", ".trivet-e2e-build");
  while (!(await take(lock))) await wait(100);
  try {
    if (await isFresh()) return;
    const build = ["scripts/build.mjs", "--quiet"];
    const started = startCommand(process.execPath, build, { cwd: root, env: process.env });
    await succeeded("npm run build", started);
  } finally {
    await rm(lock, { force: true });
  }
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

async function isFresh(): Promise<boolean> {
  const builtAt = await changedAt(built);
  const times = await Promise.all(sources.map((source) => newest(join(root, source))));
  return builtAt !== undefined && builtAt > Math.max(...times);
}

async function newest(path: string): Promise<number> {
  const entry = await stat(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
  return Math.max(0, ...times);
}

/**
 * The lock is a link to the PID of its owner. It is created atomically, and taken over from dead
 * processes.
 */
async function take(lock: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), lock);
    return true;
  } catch {
    const holder = await readlink(lock).catch(() => undefined);
    if (holder !== undefined && !isProcessAlive({ pid: Number(holder), start: undefined }))
      await rm(lock, { force: true });
    return false;
  }
}

async function changedAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
