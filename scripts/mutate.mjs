// @ts-check
// npm run mutate [-- --help]
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutantsOf } from "./mutate/mutants.mjs";
import { root } from "./providers.mjs";

/** @typedef {import("./mutate/mutants.mjs").Mutant} Mutant */

/**
 * The code that is changed (a folder or a file), with the tests that should notice.
 *
 * @type {readonly { code: string, tests: readonly string[] }[]}
 */
const rooms = [
  {
    code: "src/core/signing/sigstore/verification",
    tests: ["test/core/signing/sigstore/verification", "test/core/signing/verify/handlers"],
  },
  {
    code: "src/core/signing/sigstore/trust",
    tests: ["test/core/signing/sigstore/trust", "test/core/signing/sigstore/verification/verify"],
  },
  ...["cloud-credentials", "credentials", "docker-config"].map(
    (name) =>
      /** @type {const} */ ({
        code: `src/core/signing/oci/registry/${name}.ts`,
        tests: ["test/core/signing/oci/registry"],
      }),
  ),
  { code: "src/core/google", tests: ["test/core/google", "test/core/signing/oci/registry/google"] },
  {
    code: "src/core/http",
    tests: ["test/core/http", "test/core/ids/client", "test/core/signing/oci/registry/hostile"],
  },
  { code: "src/core/signing/policy/engine", tests: ["test/core/signing/policy/engine"] },
  {
    code: "src/core/signing/policy",
    tests: [
      "test/core/signing/policy/[^/]*$",
      "test/core/signing/policy/parse",
      "test/core/signing/verify/handlers",
      "test/core/signing/verify/policy-evidence",
      "test/core/signing/verify/unchecked",
    ],
  },
];

/** These run what the build made, or programs: the change is not in it. */
const unaffected = ["compiled-transport", "packaged-transport", "makers-outside", "cue-reach"];

/** Tests that take a minute, of the time that long inputs take. */
const withoutSlow = "--testNamePattern=^(?!.*256 KiB)";

/** The changes that no test noticed the last time. */
const unnoticed = join(root, "dist", "unnoticed-changes.md");

/** Which functions each file of tests reaches. */
const reachedIn = join(root, "dist", "reached-by-tests");

/** A change with which a test or the tests do not end counts as noticed after this time. */
const testMs = 60_000;
const runMs = 300_000;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "420" },
    seed: { type: "string", default: "trivet" },
    only: { type: "string" },
    again: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run mutate -- [--count <number>] [--seed <word>] [--only <path>] [--again] [--list]

Changes the code that decides about trust in small ways, one at a time, and runs its tests each time.
Prints the changes that no test notices, and fails if docs/design/mutation.md does not explain one.

  --count <number>  how many changes to try (default: 420). Each takes a few seconds
  --seed <word>     chooses other changes (default: trivet)
  --only <path>     try all changes of the files whose path contains this
  --again           try those that no test noticed the last time
  --list            print the changes, and run nothing`);
  process.exit(0);
}

const chosen = choose();
if (values.list) for (const mutant of chosen) console.log(rowOf(mutant));
else await run();

/** @returns {Mutant[]} */
function choose() {
  const { only, seed, count } = values;
  // A room can be in another one.
  const files = new Set(rooms.flatMap(({ code }) => filesOf(code)));
  const all = [...files].flatMap(mutantsIn);
  if (only !== undefined) return all.filter(({ file }) => file.includes(only));
  if (values.again) {
    const last = new Set(readFileSync(unnoticed, "utf8").split("\n"));
    return all.filter((mutant) => last.has(rowOf(mutant)));
  }
  // By what a change is and not by where: neither another file's changes nor a new name of its file replace it.
  const order = new Map(
    all.map((mutant) => {
      const { within, original, replacement } = mutant;
      return [mutant, digest([seed, within, original, replacement].join("\n"))];
    }),
  );
  const compared = (/** @type {Mutant} */ one, /** @type {Mutant} */ other) =>
    (order.get(one) ?? "") < (order.get(other) ?? "") ? -1 : 1;
  return all.sort(compared).slice(0, Number(count));
}

async function run() {
  const page = readFileSync(join(root, "docs", "design", "mutation.md"), "utf8");
  const explained = page.replace(/ +\|/g, " |");
  const testsOf = await reachingTests();
  /** @type {{ mutant: Mutant, isNoticed: boolean }[]} */
  const results = [];
  const waiting = [...chosen];
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const isNoticed = await notices(mutant, testsOf(mutant));
      results.push({ mutant, isNoticed });
      if (!isNoticed) console.log(rowOf(mutant));
      if (results.length % 50 === 0) console.log(`${results.length} of ${chosen.length}`);
    }
  });
  await Promise.all(workers);
  const survivors = results.filter(({ isNoticed }) => !isNoticed).map(({ mutant }) => mutant);
  const open = survivors.filter((mutant) => !explained.includes(rowOf(mutant)));
  writeFileSync(unnoticed, survivors.map((mutant) => `${rowOf(mutant)}\n`).join(""));
  const noticed = results.length - survivors.length;
  console.log(
    `${results.length} changes, ${noticed} noticed, ${survivors.length - open.length} explained, ${open.length} open`,
  );
  process.exitCode = open.length === 0 ? 0 : 1;
}

/**
 * Runs the tests without a change. Also how their durations become known, by which they are sorted.
 *
 * @returns {Promise<(mutant: Mutant) => readonly string[]>} the files of tests that reach what is changed
 */
async function reachingTests() {
  /** @type {Record<string, number[]>} */
  const entries = {};
  for (const { file, entry } of chosen) {
    const ofFile = (entries[join(root, file)] ??= []);
    if (!ofFile.includes(entry)) ofFile.push(entry);
  }
  rmSync(reachedIn, { recursive: true, force: true });
  const tests = [...new Set(rooms.flatMap((room) => room.tests))];
  const args = [withoutSlow, "--testPathIgnorePatterns", ...unaffected];
  if (await fails([...args, "--testPathPattern", ...tests], { entries, reachedIn })) {
    throw new Error("the tests fail without a change");
  }
  /** @type {{ path: string, entries: string[] }[]} */
  const reached = readdirSync(reachedIn).map((name) =>
    JSON.parse(readFileSync(join(reachedIn, name), "utf8")),
  );
  return ({ file, entry }) => {
    const patterns = testsOf(file).map((pattern) => new RegExp(pattern));
    const key = `${join(root, file)}:${entry}`;
    return reached
      .filter(
        ({ path, entries }) => entries.includes(key) && patterns.some((one) => one.test(path)),
      )
      .map(({ path }) => path);
  };
}

/** @param {string} file */
function testsOf(file) {
  const room = rooms.find(({ code }) => `${file}/`.startsWith(`${code}/`));
  if (room === undefined) throw new Error(`no tests are known for ${file}`);
  return room.tests;
}

/**
 * @param {Mutant} mutant
 * @param {readonly string[]} tests
 */
async function notices({ file, start, end, replacement }, tests) {
  if (tests.length === 0) return false;
  const change = { path: join(root, file), start, end, replacement };
  return fails([withoutSlow, "--runTestsByPath", ...tests], change);
}

/**
 * Reports whether a test fails with a change in the code.
 *
 * @param {readonly string[]} chosenTests
 * @param {object} change
 * @returns {Promise<boolean>}
 */
function fails(chosenTests, change) {
  const args = [
    join(root, "node_modules", "jest", "bin", "jest.js"),
    ...["--config", join(root, "scripts", "mutate", "jest.config.js")],
    ...["--runInBand", "--bail", "--forceExit", "--silent", `--testTimeout=${testMs}`],
    ...chosenTests,
  ];
  const env = { ...process.env, TRIVET_MUTANT: JSON.stringify(change) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "ignore", timeout: runMs });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code !== 0));
  });
}

/**
 * @param {string} file
 * @returns {Mutant[]}
 */
function mutantsIn(file) {
  return mutantsOf(file, readFileSync(join(root, file), "utf8"));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesOf(folder) {
  if (folder.endsWith(".ts")) return [folder];
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => `${folder}/${name}`);
}

/**
 * The first cells of a row in docs/design/mutation.md.
 *
 * @param {Mutant} mutant
 */
function rowOf({ file, within, original, replacement }) {
  const shown = [
    file.replace("src/", ""),
    within,
    original,
    replacement === ";" ? "nothing" : replacement,
  ];
  const cells = shown.map((text) => `\`${text.replace(/\s+/g, " ").replaceAll("|", "\\|")}\``);
  return `| ${cells.join(" | ")} |`;
}

/** @param {string} text */
function digest(text) {
  return createHash("sha256").update(text).digest("hex");
}
