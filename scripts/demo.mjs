// @ts-check
// npm run demo
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { demoIds } from "./demo/ids/demo-ids.mjs";
import { start, stopAll } from "./demo/process.mjs";
import { withProgress } from "./demo/progress.mjs";
import { demoSigning } from "./demo/signing/demo-signing.mjs";
import { tail } from "./demo/trivet-exec.mjs";
import { demoWorkspace } from "./demo/workspace/demo-workspace.mjs";
import { root } from "./providers.mjs";
import { requireTerraform } from "./terraform.mjs";

const trivet = join(root, "dist", "src", "cli", "main.js");

console.log(`terraform ${requireTerraform()}`);
const folder = await mkdtemp(join(tmpdir(), "trivet-demo-"));
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (interrupted) return;
    interrupted = true;
    console.log("\nStopping and cleaning up.");
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
  const begin = performance.now();
  const project = join(folder, "project");
  const mirror = join(folder, "mirror");
  await mkdir(project);
  await succeed("build", [join(root, "scripts", "build.mjs")], root);
  await succeed(
    "install the providers into a temporary mirror",
    [trivet, "install", "--dir", mirror],
    project,
  );
  await writeProject(project);

  const setting = { trivet, mirror, project, throwIfInterrupted };
  const ids = await demoIds(setting);
  const workspace = await demoWorkspace(setting);
  const providers = join(root, "dist", "providers");
  const signing = await demoSigning({ ...setting, providers });
  const seconds = (performance.now() - begin) / 1000;
  console.log("\nResults with the real terraform and cdktf.");
  summarize("ids: endpoints in a local back end, compared with the back end's list", ids);
  summarize(
    "workspace: a template on the local platform, compared with Terraform's state",
    workspace,
  );
  summarize("signing: our providers as an image, compared with the registry", signing);
  console.log(`\nAll as expected, in ${seconds.toFixed(0)} s with the build.`);
}

/**
 * @param {string} title
 * @param {readonly import("./demo/trivet-exec.mjs").Done[]} steps
 */
function summarize(title, steps) {
  console.log(`\n${title}`);
  for (const [index, { title: step, seconds, counts, details }] of steps.entries()) {
    const head = `${index + 1}. ${step}`.padEnd(42);
    console.log(`  ${head} ${seconds.toFixed(1).padStart(5)} s   ${counts}`);
    for (const line of details) console.log(`       ${line}`);
  }
}

/**
 * Creates a separate project, so that the checkout is not changed.
 *
 * @param {string} project
 */
async function writeProject(project) {
  const config = JSON.parse(await readFile(join(root, "cdktf.json"), "utf8"));
  const app = `"${process.execPath}" "${join(root, "dist", "stacks", "main.js")}"`;
  await writeFile(join(project, "cdktf.json"), JSON.stringify({ ...config, app }));
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
  throwIfInterrupted();
  if (result.code !== 0) throw new Error(`${title}\n${tail(result.output)}`);
}

function throwIfInterrupted() {
  if (interrupted) throw new Error("interrupted");
}
