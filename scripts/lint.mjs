// @ts-check
// npm run lint
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { root } from "./providers.mjs";

const require = createRequire(import.meta.url);
const tsc = require.resolve("typescript/bin/tsc");

/** @type {readonly [title: string, file: string, ...args: string[]][]} */
const steps = [
  // The longest ones first.
  ["eslint", join(root, "node_modules/eslint/bin/eslint.js"), "."],
  ["types", tsc, "-b"],
  ["prettier", join(root, "node_modules/prettier/bin/prettier.cjs"), "--check", "."],
  ["types of scripts", tsc, "-p", "scripts"],
  ["generated files", join(root, "scripts/gen.mjs"), "--check"],
  ["unused exports", join(root, "node_modules/knip/bin/knip.js"), "--no-progress"],
  ["circles of imports", join(root, "scripts/structure.mjs"), "--check"],
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
