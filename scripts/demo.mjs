// @ts-check
// npm run demo
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBackEnd } from "./demo/back-end.mjs";
import { cdktf, endpointsInState } from "./demo/deployment.mjs";
import { start, stopAll } from "./demo/process.mjs";
import { withProgress } from "./demo/progress.mjs";
import { steps } from "./demo/steps.mjs";
import { root } from "./providers.mjs";
import { requireTerraform } from "./terraform.mjs";

const LOG_LINES = 40;
const trivet = join(root, "dist", "src", "cli", "main.js");

console.log(`terraform ${requireTerraform()}`);
const folder = await mkdtemp(join(tmpdir(), "trivet-demo-"));
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (interrupted) return;
    interrupted = true;
    console.log("\nStopping: nothing is left behind.");
    void stopAll();
  });
}
try {
  await demo();
} catch (error) {
  if (interrupted) {
    process.exitCode = 130;
  } else {
    console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
} finally {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
}

async function demo() {
  const work = join(folder, "project");
  const mirror = join(folder, "mirror");
  await mkdir(work);
  await succeed("build", [join(root, "scripts", "build.mjs")], root);
  await succeed(
    "install the providers into a temporary mirror",
    [trivet, "install", "--dir", mirror],
    work,
  );
  const { result: backEnd } = await withProgress("start the local back end", () =>
    startBackEnd({ trivet, cwd: work }),
  );
  console.log(`    ${backEnd.url}`);
  await writeProject(work);

  /** @type {NodeJS.ProcessEnv} */
  let env = { ...process.env, TRIVET_IDS_ENDPOINT: backEnd.url };
  /** @type {string[]} */
  const summary = [];
  /** @type {import("./demo/back-end.mjs").Endpoint[]} */
  let before = [];
  let project = "";
  for (const [index, step] of steps.entries()) {
    stopIfAsked();
    env = { ...env, ...step.change };
    const title = `${index + 1}/${steps.length} cdktf ${step.verb}: ${step.title}`;
    const { result: report, seconds } = await withProgress(title, () =>
      cdktf(step.verb, { trivet, mirror, cwd: work, env }),
    );
    stopIfAsked();
    const { code, log, added, changed, destroyed, actions } = report;
    if (code !== 0) throw new Error(`${title} ended with code ${code}\n${tail(log)}`);
    const planned = actions.filter((action) => action.startsWith("ids_endpoint."));
    const rightPlan =
      step.action === undefined
        ? planned.length === 0
        : planned.some((action) => step.action?.test(action));
    const numbers = `${added} added, ${changed} changed, ${destroyed} destroyed`;
    if (!rightPlan || !step.expected(report)) {
      throw new Error(`${title}: not expected: ${numbers}\n${tail(log)}`);
    }

    const state = await endpointsInState(work);
    project = state[0]?.project ?? project;
    const after = await backEnd.endpoints(project);
    const wrong = step.verify(before, after) ?? compareNames(state, after);
    if (wrong !== undefined) throw new Error(`${title}: ${wrong}\n${tail(log)}`);
    before = after;

    const what = planned.length === 0 ? "ids_endpoint: no changes" : planned.join("; ");
    console.log(`    ${what}: ${numbers}`);
    const inService = after.map(({ name, severity }) => `${name} (${severity})`).join(", ");
    summary.push(
      `  ${`${index + 1}. ${step.title}`.padEnd(40)} ${seconds.toFixed(1).padStart(5)} s   ${numbers}`,
      `       ${what}`,
      `       the service has: ${inService === "" ? "none" : inService}`,
    );
  }
  console.log(`\nThe real terraform and cdktf, our provider, a local back end (${backEnd.url}):\n`);
  console.log(summary.join("\n"));
  console.log("\nEvery step was compared with the service's own list. All as expected.");
}

/**
 * A project of its own, so that the checkout stays as it is.
 *
 * @param {string} work
 */
async function writeProject(work) {
  const config = JSON.parse(await readFile(join(root, "cdktf.json"), "utf8"));
  const app = `"${process.execPath}" "${join(root, "dist", "stacks", "main.js")}"`;
  await writeFile(join(work, "cdktf.json"), JSON.stringify({ ...config, app }));
}

/**
 * @param {string} title
 * @param {string[]} args
 * @param {string} cwd
 */
async function succeed(title, args, cwd) {
  const { result } = await withProgress(title, async () => {
    const started = start(args, { cwd, env: process.env });
    return { code: await started.ended, output: started.output() };
  });
  stopIfAsked();
  if (result.code !== 0) throw new Error(`${title}\n${tail(result.output)}`);
}

function stopIfAsked() {
  if (interrupted) throw new Error("interrupted");
}

/**
 * @param {readonly { name: string }[]} state
 * @param {readonly { name: string }[]} service
 */
function compareNames(state, service) {
  const [ours, theirs] = [state, service].map((list) =>
    list
      .map(({ name }) => name)
      .sort()
      .join(", "),
  );
  return ours === theirs ? undefined : `terraform's state has ${ours}, the service has ${theirs}`;
}

/** @param {string} log */
function tail(log) {
  return log.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
}
