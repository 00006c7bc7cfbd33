import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTrustedJson, propertiesOf } from "../../src/core/json/plain-json";
import { peakMb } from "../process-figures";
import type { Figure } from "../report";
import { pairs, type Sample, sample } from "../sample";
import type { Setting } from "../setting";
import { Terraform } from "../terraform";

/** The numbers of constructs whose plan is awaited after a save, with the limits in milliseconds. */
const saved = [
  [100, 300],
  [1_000, 1_000],
] as const;

const coldCount = 100;
const coldTargetMs = 1_500;

/** Measures `trivet check`: a single run, compared with other commands that plan, and after each save. */
export async function check({ runs, root }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  try {
    const figures = cold(new Terraform(folder, root), new AppProject(folder, root), runs);
    for (const [count, targetMs] of saved) {
      const project = new AppProject(folder, root);
      figures.push(...(await afterSaves(project, count, targetMs, runs * 10)));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function cold(terraform: Terraform, project: AppProject, runs: number): Figure[] {
  project.write(coldCount, 0);
  execFileSync(process.execPath, ["main.js"], { cwd: project.folder, stdio: "ignore" });
  const stack = readFileSync(join(project.folder, "cdktf.out/stacks/bench/cdk.tf.json"), "utf8");
  const planned = terraform.prepare("planned", propertiesOf(parseTrustedJson(stack)));
  const commands = [
    [project.folder, `node ${project.trivet} check`],
    [planned, "terraform plan -input=false -lock=false"],
    [project.folder, `${project.cdktf} diff bench`],
  ] as const;
  const taken: number[][] = [[], [], []];
  for (let run = 0; run <= runs; run++) {
    commands.forEach(([cwd, command], at) => {
      const { wallMs } = terraform.time(cwd, command, { CI: "1", CHECKPOINT_DISABLE: "1" });
      if (run > 0) taken[at]?.push(wallMs);
    });
  }
  const [ours = [], plan = [], diff = []] = taken;
  const what = `\`trivet check\` of ${coldCount} endpoints, cold`;
  const beside = (name: string, { median }: Sample): string => `${name}: ${median.toFixed(0)} ms`;
  const [withPlan, withDiff] = [pairs(ours, plan), pairs(ours, diff)];
  const against = beside("`terraform plan` of the synthesized stack", withPlan.b);
  return [
    { what, value: withPlan.a, unit: "ms", against, target: coldTargetMs },
    { what, value: withPlan.ratio, unit: "×", against },
    { what, value: withDiff.ratio, unit: "×", against: beside("`cdktf diff`", withDiff.b) },
  ];
}

async function afterSaves(
  project: AppProject,
  count: number,
  targetMs: number,
  saves: number,
): Promise<Figure[]> {
  project.write(count, 0);
  const child = spawn(process.execPath, [project.trivet, "check", "--watch"], {
    cwd: project.folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "close");
  try {
    const isWaiting = waits(child.stderr);
    await isWaiting();
    const taken: number[] = [];
    let firstMb = 0;
    for (let save = 1; save <= saves + warmUp; save++) {
      const begun = performance.now();
      project.write(count, save);
      await isWaiting();
      if (save === warmUp) firstMb = peakMb(child.pid ?? 0);
      if (save > warmUp) taken.push(performance.now() - begun);
    }
    const late = taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * 0.95) - 1] ?? Number.NaN;
    const what = `from save to plan of ${count} endpoints`;
    const against = "`trivet check --watch`, all saves";
    return [
      { what, value: sample(taken), unit: "ms", against },
      {
        what: `${what}, 95th percentile`,
        value: { min: late, median: late, runs: taken.length },
        unit: "ms",
        against,
        target: targetMs,
      },
      {
        what: `memory of the command after ${saves} saves of ${count} endpoints`,
        value: sample([peakMb(child.pid ?? 0)]),
        unit: "MB",
        against: `after ${warmUp} saves: ${firstMb.toFixed(0)} MB`,
      },
    ];
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}

/** The saves that do not count. */
const warmUp = 5;

/** Returns a function that resolves when the command waits for changes again. */
function waits(output: NodeJS.ReadableStream): () => Promise<void> {
  let text = "";
  let resume = (): void => undefined;
  output.on("data", (data: Buffer) => {
    text += data.toString();
    resume();
  });
  const sign = "waiting for changes";
  return async () => {
    while (!text.includes(sign)) {
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
    text = text.slice(text.indexOf(sign) + sign.length);
  };
}

/** A project with one stack of endpoints. */
class AppProject {
  readonly folder: string;
  readonly trivet: string;
  readonly cdktf: string;
  readonly #library: string;

  /** @param within the parent folder */
  constructor(within: string, root: string) {
    this.folder = mkdtempSync(join(within, "project-"));
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
    this.trivet = join(root, "dist/src/cli/main.js");
    this.cdktf = join(root, "node_modules/.bin/cdktf");
    this.#library = join(root, "dist/src/index.js");
    const settings = { language: "typescript", app: "node main.js", sendCrashReports: "false" };
    writeFileSync(join(this.folder, "cdktf.json"), JSON.stringify(settings));
  }

  /** @param save the number of the save, which is in one of the endpoints */
  write(count: number, save: number): void {
    writeFileSync(
      join(this.folder, "main.js"),
      `const { App, TerraformStack } = require("cdktf");
const { ids } = require(${JSON.stringify(this.#library)});
const app = new App();
const stack = new TerraformStack(app, "bench");
new ids.IdsProvider(stack, "ids", { project: "demo", zone: "us-central1-f", accessToken: "token" });
for (let index = 0; index < ${String(count)}; index++) {
  new ids.Endpoint(stack, "edge-" + index, {
    endpointId: "edge-" + index,
    network: "projects/demo/global/networks/main",
    severity: "HIGH",
    description: index === 0 ? "save ${String(save)}" : "Endpoint",
    labels: { team: "network" },
  });
}
app.synth();
`,
    );
  }
}
