// @ts-check
// npm test [-- <arguments of jest>]
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "./providers.mjs";
import { requireTerraform, toolVersion } from "./terraform.mjs";

/** The file for jest's result, from which `.ci/run` reads the figures. */
const result = join(root, "dist", "test-result.json");
const jestArguments = process.argv.slice(2);

console.log(`terraform ${requireTerraform()}`);
const tofu = toolVersion("tofu");
console.log(
  tofu === undefined ? "tofu is not on PATH: tests run with terraform only" : `tofu ${tofu}`,
);

run(["scripts/build.mjs"]);
// With arguments, only the selected tests run.
if (jestArguments.length === 0) run(["scripts/lint.mjs"]);
// One more than the number of cores, at most four: a worker often waits for processes and back-offs.
const workers = `--maxWorkers=${Math.min(availableParallelism() + 1, 4)}`;
run([
  "node_modules/jest/bin/jest.js",
  workers,
  "--json",
  `--outputFile=${result}`,
  ...jestArguments,
]);

/** @param {string[]} args */
function run(args) {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}
