// npm run bench [-- --only CASE,…] [--runs N] [--write] [--compare]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { againstGo } from "./against-go/against-go";
import { acceptance } from "./case/acceptance";
import { check } from "./case/check";
import { command } from "./case/command";
import { copy } from "./case/copy";
import { library } from "./case/library";
import { offline } from "./case/offline";
import { plan } from "./case/plan";
import { signing } from "./case/signing";
import { start } from "./case/start";
import { synth } from "./case/synth";
import { type Figure, page, table, unexplained, worse } from "./report";
import type { MeasuredProvider, Setting } from "./setting";
import { ids } from "./subject/ids";
import { signing as signingSubject } from "./subject/signing";
import type { Subject } from "./subject/subject";
import { workspace } from "./subject/workspace";
import { writeFigures } from "./write-figures";

const cases: Readonly<Record<string, (setting: Setting) => Promise<Figure[]>>> = {
  start,
  plan,
  library,
  synth,
  check,
  offline,
  command,
  acceptance,
  signing,
  copy,
};

const subjects = [ids, workspace, signingSubject];
const names = subjects.map(({ name }) => name);

const { values: options } = parseArgs({
  options: {
    provider: { type: "string", default: names.join(",") },
    only: { type: "string", default: Object.keys(cases).join(",") },
    runs: { type: "string", default: "7" },
    write: { type: "boolean", default: false },
    compare: { type: "boolean", default: false },
    "against-go": { type: "boolean", default: false },
    counts: { type: "string", default: "1,10,25,100,1000,5000" },
    help: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  if (options.help) {
    console.log(`Usage: npm run bench -- [--only ${Object.keys(cases).join(",")}] [--provider ${names.join(",")}]
                        [--runs N] [--write] [--compare]
       npm run bench -- --against-go [--counts N,…] [--runs N] [--write]

Measures what users notice. Each figure is compared with another one from the same run. Needs Linux.

  --only      the cases to run, separated by commas
  --provider  the providers to measure, separated by commas
  --runs      the number of measurements per figure (default 7)
  --write     write the table to docs/performance.md
  --compare   fail if a ratio is more than 10 % worse than in docs/performance.md
  --against-go
              compare ids, also as an executable, with the same provider in Go; needs Go.
              Takes about half an hour. npm downloads the executable's runtime once
  --counts    the numbers of endpoints for --against-go (default 1,10,25,100,1000,5000);
              with more than 1,000, only the plan is measured`);
    return;
  }
  const root = join(__dirname, "..", "..");
  if (options["against-go"]) {
    const text = await againstGo({
      runs: Number(options.runs),
      root,
      provider: provider(root, "ids"),
      counts: options.counts.split(",").map(Number),
      machine: machine(),
      isWritten: options.write,
    });
    console.log(text);
    return;
  }
  const setting: Setting = {
    runs: Number(options.runs),
    root,
    providers: options.provider.split(",").map((name) => provider(root, name)),
  };
  const figures: Figure[] = [];
  for (const name of options.only.split(",")) {
    const measure = cases[name];
    if (measure === undefined) throw new Error(`unknown case "${name}"; see --help`);
    console.error(`${name} …`);
    figures.push(...(await measure(setting)));
  }
  console.log(`${table(figures)}\n\n${machine()}`);
  const path = join(root, "docs", "performance.md");
  const last = readFileSync(path, "utf8");
  if (options.write) writeFigures(path, "figures", `${page(figures)}\n\n${machine()}`);
  const problems = unexplained(figures).map((what) => `Missed without a reason: ${what}`);
  if (options.compare) problems.push(...worse(figures, last).map((each) => `Worse: ${each}`));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

function provider(root: string, name: string): MeasuredProvider {
  const subject = subjects.find((each) => each.name === name);
  if (subject === undefined) throw new Error(`unknown provider "${name}"; see --help`);
  const folder = join(root, "dist", "providers");
  const text = readFileSync(join(folder, "versions.json"), "utf8");
  const version = (JSON.parse(text) as Record<Subject["name"], string>)[subject.name];
  const executable = join(folder, name, `terraform-provider-${name}_v${version}`);
  return { subject, version, executable };
}

function machine(): string {
  const terraform = execFileSync("terraform", ["version"], { encoding: "utf8" });
  const [{ model } = { model: "unknown processor" }] = cpus();
  const [line = ""] = terraform.split("\n").filter((each) => each.startsWith("Terraform"));
  return `Node.js ${process.version}, ${line}, ${process.platform} ${process.arch}, ${cpus().length} × ${model}.`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
