// @ts-check
// npm run lint
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { root } from "./providers.mjs";

/** @type {readonly [title: string, file: string, ...args: string[]][]} */
const steps = [
  // The longest ones first.
  // Also checks the types, with TypeScript 7. The build compiles `src` with the version that users have.
  [
    "types and rules",
    join(root, "node_modules/oxlint/bin/oxlint"),
    "--type-aware",
    "--type-check",
    "--report-unused-disable-directives-severity=error",
  ],
  ["format", join(root, "scripts/lint/format.mjs")],
  ["generated files", join(root, "scripts/gen.mjs"), "--check"],
  ["unused exports", join(root, "node_modules/knip/bin/knip.js"), "--no-progress"],
  ["ceilings of rooms", join(root, "scripts/structure.mjs"), "--check"],
  [
    "import directions",
    join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
    "--config",
    ".dependency-cruiser.cjs",
    "src",
    "bindings",
    "stacks",
    "editors",
  ],
];

let failed = false;
const waiting = [...steps];
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
process.exitCode = failed ? 1 : 0;

async function worker() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (!(await step(...next))) failed = true;
  }
}

/**
 * @param {string} title
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<boolean>}
 */
function step(title, file, ...args) {
  const start = performance.now();
  const child = spawn(process.execPath, [file, ...args], { cwd: root });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const seconds = (performance.now() - start) / 1000;
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${title} (${seconds.toFixed(1)} s)`);
      // To `npm test`, which sums up.
      process.send?.({ title, seconds });
      if (code !== 0) console.log(output.trimEnd());
      resolve(code === 0);
    });
  });
}
