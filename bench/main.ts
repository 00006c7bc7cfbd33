// npm run bench [-- --only CASE,…] [--peer NAME=PATH] [--runs N] [--write]
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { codec } from "./case/codec";
import { command } from "./case/command";
import { copy } from "./case/copy";
import { library } from "./case/library";
import { peer } from "./case/peer";
import { plan } from "./case/plan";
import { signing } from "./case/signing";
import { start } from "./case/start";
import { synth } from "./case/synth";
import { peerNames, readPeers } from "./comparison/comparisons";
import { type Figure, table } from "./report";
import type { MeasuredProvider, Setting } from "./setting";
import { ids } from "./subject/ids";
import { signing as signingSubject } from "./subject/signing";
import type { Subject } from "./subject/subject";
import { workspace } from "./subject/workspace";

const cases: Readonly<Record<string, (setting: Setting) => Promise<Figure[]>>> = {
  start,
  plan,
  library,
  codec,
  synth,
  command,
  peer,
  signing,
  copy,
};

const subjects = [ids, workspace, signingSubject];
const names = subjects.map(({ name }) => name);

const { values: options } = parseArgs({
  options: {
    provider: { type: "string", default: names.join(",") },
    only: { type: "string", default: Object.keys(cases).join(",") },
    peer: { type: "string", multiple: true, default: [] },
    runs: { type: "string", default: "7" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  if (options.help) {
    console.log(`Usage: npm run bench -- [--only ${Object.keys(cases).join(",")}] [--provider ${names.join(",")}]
                        [--peer NAME=PATH] [--runs N] [--write]

Measures what users notice. Each figure is compared with another one from the same run. Needs Linux.

  --only      the cases to run, separated by commas
  --provider  the providers to measure, separated by commas
  --peer      the executable of another provider, to compare "peer" with: ${peerNames.join(", ")};
              can be repeated
  --runs      the number of measurements per figure (default 7)
  --write     write the table to docs/performance.md`);
    return;
  }
  const root = join(__dirname, "..", "..");
  const setting: Setting = {
    runs: Number(options.runs),
    root,
    peers: readPeers(options.peer),
    providers: options.provider.split(",").map((name) => provider(root, name)),
  };
  const figures: Figure[] = [];
  for (const name of options.only.split(",")) {
    const measure = cases[name];
    if (measure === undefined) throw new Error(`unknown case "${name}"; see --help`);
    console.error(`${name} …`);
    figures.push(...(await measure(setting)));
  }
  const text = `${table(figures)}\n\n${machine()}`;
  console.log(text);
  if (options.write) writeDocument(join(root, "docs", "performance.md"), text);
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

function writeDocument(path: string, text: string): void {
  const document = readFileSync(path, "utf8");
  const marked = /(<!-- figures -->\n)[^]*?(\n<!-- end of figures -->)/;
  if (!marked.test(document)) throw new Error(`${path} has no place for the figures`);
  writeFileSync(
    path,
    document.replace(marked, (_, before, after) => `${before}\n${text}\n${after}`),
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
