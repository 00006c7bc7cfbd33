// @ts-check
// npm test [-- --all | --rest] [--durations] [<arguments of jest>]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./providers.mjs";
import { requireTerraform, toolVersion } from "./terraform.mjs";
import { isBuilt } from "./test/is-built.mjs";
import { durations, timeByKind } from "./test/time-by-kind.mjs";

/** @typedef {import("./test/time-by-kind.mjs").Step} Step */

const given = process.argv.slice(2);
const jestArguments = given.filter((each) => !["--all", "--durations", "--rest"].includes(each));
/** Without a selection, the files in test/rest.json are left to a second call. */
const isRest = given.includes("--rest");
const isAll = given.includes("--all");
const whole = isAll || jestArguments.length > 0 ? "all" : "first";
const part = isRest ? "rest" : whole;
/** Read by jest.config.js and test/all-tests.ts. */
const variables = { TEST_PART: part, ...(isAll ? { ALL_TESTS: "1" } : {}) };
/** The file for jest's result, from which `.ci/run` reads the figures. */
const result = join(root, "dist", isRest ? "test-result-rest.json" : "test-result.json");

console.log(`terraform ${requireTerraform()}`);
const tofu = toolVersion("tofu");
console.log(
  tofu === undefined ? "tofu is not on PATH: tests run with terraform only" : `tofu ${tofu}`,
);

// `npm ci` has built when it has installed.
if (!(await isBuilt())) await succeed(["scripts/build.mjs"]);
// One more than the number of cores, at most four: a worker often waits for processes and back-offs.
const workers = `--maxWorkers=${Math.min(availableParallelism() + 1, 4)}`;
const jest = [
  // Tests allocate much that is soon gone: with more room for it, the workers collect a tenth less.
  "--max-semi-space-size=64",
  "node_modules/jest/bin/jest.js",
  workers,
  "--json",
  `--outputFile=${result}`,
  ...jestArguments,
];
// With arguments, only the selected tests run, and the first call has linted for the second. The linter uses the
// processors while tests wait.
/** @type {Step[]} */
const steps = [];
const lint =
  jestArguments.length === 0 && !isRest ? run(["scripts/lint.mjs"], (step) => steps.push(step)) : 0;
// cdktf, npm and browsers leave folders behind. The name is short, because the paths of sockets must be.
const temporary = await mkdtemp(join(tmpdir(), "t-"));
// PostgreSQL, which refuses to run as root, must reach its folder in there.
await chmod(temporary, 0o711);
const [testCode, lintCode] = await Promise.all([run(jest, undefined, { TMPDIR: temporary }), lint]);
await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
await printResult();
printProcessorTime();
// Without the result, `.ci/run` counts no test as passed.
if (lintCode !== 0) await rm(result, { force: true });
process.exitCode = testCode || lintCode;

/** @param {string[]} args */
async function succeed(args) {
  const code = await run(args);
  if (code !== 0) process.exit(code);
}

/**
 * @param {string[]} args
 * @param {(message: Step) => void} [onMessage]
 * @param {NodeJS.ProcessEnv} [more] variables
 * @returns {Promise<number>} the exit code
 */
function run(args, onMessage, more) {
  const env = { ...process.env, ...variables, ...more, CHECKPOINT_DISABLE: "1" };
  const stdio = /** @type {const} */ (["inherit", "inherit", "inherit"]);
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: onMessage === undefined ? [...stdio] : [...stdio, "ipc"],
    env,
  });
  if (onMessage !== undefined) child.on("message", onMessage);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Prints the seconds of processors, user and system, of all processes that have ended: unlike the time that has
 * passed, they do not depend on what else runs. Only Linux has them.
 */
function printProcessorTime() {
  if (process.platform !== "linux") return;
  // After the name, which is in parentheses: see proc_pid_stat(5). The unit is a hundredth of a second.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  const times = [user + childUser, system + childSystem].map((ticks) => Math.round(ticks / 100));
  const [users = 0, systems = 0] = times;
  console.log(`Seconds of processors: ${users + systems} = user ${users} + system ${systems}`);
}

/** Names each test that was skipped, such as those of programs that are not on `PATH`, and what took the time. */
async function printResult() {
  const text = await readFile(result, "utf8").catch(() => undefined);
  if (text === undefined) return;
  /** @type {{ testResults: (import("./test/time-by-kind.mjs").TestFile & { assertionResults: { status: string, fullName: string }[] })[] }} */
  const { testResults } = JSON.parse(text);
  const skipped = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "pending").map(({ fullName }) => fullName),
  );
  if (part === "first")
    console.log("Not run: the files in test/rest.json, which `npm test -- --rest` runs.");
  // A filter by name would make almost all tests skipped.
  const isFiltered = jestArguments.some((each) => /^(?:-t|--testNamePattern)/.test(each));
  if (!isFiltered) for (const name of new Set(skipped)) console.log(`skipped: ${name}`);
  console.log(timeByKind(testResults, steps));
  if (given.includes("--durations")) {
    const text = JSON.stringify(durations(testResults), undefined, 2);
    await writeFile(join(root, "test", "durations.json"), `${text}\n`);
  }
}
