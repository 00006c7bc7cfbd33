// @ts-check
// npm run bench [-- --help]
import { execFileSync, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./providers.mjs";

execFileSync(process.execPath, [join(root, "scripts", "build.mjs"), "--quiet"], {
  stdio: "inherit",
});
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-b", "bench"], { cwd: root, stdio: "inherit" });
const main = join(root, "dist", "bench", "main.js");
const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
if (status === 0 && process.argv.includes("--write")) {
  const prettier = createRequire(import.meta.url).resolve("prettier/bin/prettier.cjs");
  const page = join(root, "docs", "performance.md");
  execFileSync(process.execPath, [prettier, "--write", page], { stdio: "ignore" });
}
