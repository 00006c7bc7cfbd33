import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";

const root = resolve(__dirname, "..", "..");
const sources = join(root, "src");
const bundles = join(root, "dist", "commands");

/**
 * The folder with a command and what it loads, in as few files as possible. It is bundled once for all test files, and
 * again when a source has changed.
 *
 * @param main the module of the command in `src/cli`
 */
export function bundledCommand(main: string): string {
  const folder = join(bundles, `${main}-${newest()}`);
  if (existsSync(folder)) return folder;
  mkdirSync(bundles, { recursive: true });
  const old = readdirSync(bundles).filter((name) => new RegExp(`^${main}-\\d+$`).test(name));
  const made = mkdtempSync(join(bundles, "new-"));
  const source = join(sources, "cli");
  buildSync({
    entryPoints: {
      main: join(source, `${main}.ts`),
      "app-process/preload": join(source, "app-process", "preload.ts"),
    },
    outdir: made,
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  for (const name of old) rmSync(join(bundles, name), { recursive: true, force: true });
  return folder;
}

/** When a source was last changed. */
function newest(): number {
  const paths = readdirSync(sources, { recursive: true, encoding: "utf8" });
  const all = [join(root, "package-lock.json"), ...paths.map((path) => join(sources, path))];
  return Math.round(Math.max(...all.map((path) => statSync(path).mtimeMs)));
}
