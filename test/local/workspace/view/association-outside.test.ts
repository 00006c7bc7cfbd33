import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DependencyGraph } from "../../../../src/local/workspace/terraform/dependency-graph";
import { resourcesOfState } from "../../../../src/local/workspace/terraform/resource-values";
import { platformReading } from "../../../../src/local/workspace/view/platform-view";
import { onPath } from "../../../on-path";
import { type RandomTemplate, randomTemplate } from "./random-template";

/**
 * coder's own function, in a program that reads plans with their graphs, and prints what it finds as JSON. The file
 * has what it once said; `TRIVET_RECORD=1` writes it again.
 */
const recorded = join(__dirname, "coder-associations.json");
const program = onPath("association-judge");
const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed);

interface Judged {
  readonly error: string;
  readonly agents: readonly JudgedAgent[] | null;
  readonly resources: readonly JudgedResource[] | null;
}

interface JudgedAgent {
  readonly name: string;
  readonly resource: string;
  readonly apps: readonly string[];
  readonly env: readonly string[];
  readonly scripts: readonly string[];
  readonly dev: readonly string[];
}

interface JudgedResource {
  readonly type: string;
  readonly name: string;
  readonly items: readonly string[];
  readonly hide: boolean;
  readonly icon: string;
  readonly cost: number;
}

/** What coder says of each template, in one process. */
function judged(templates: readonly RandomTemplate[]): readonly Judged[] {
  const input = templates.map((template) => JSON.stringify(template)).join("\n");
  const printed = execFileSync(program ?? "", { input, encoding: "utf8", maxBuffer: 1 << 28 });
  return printed
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Judged);
}

/** Sorted, because coder has no order; with an agent once, even if its machine has several instances. */
const comparable = ({ agents, resources }: Judged) => ({
  agents: [...new Set((agents ?? []).map((agent) => JSON.stringify(agent)))].sort(),
  resources: (resources ?? [])
    .filter(({ type }) => !type.startsWith("coder_"))
    .map((one) => JSON.stringify(one))
    .sort(),
});

function ours({
  modules,
  graph,
}: RandomTemplate): Judged & { readonly refusals: readonly string[] } {
  const resources = resourcesOfState({ values: { root_module: modules[0] } });
  const { view, refusals } = platformReading(resources, new DependencyGraph(graph), "coder_");
  const sorted = (names: readonly string[]) => [...names].sort();
  const short = (label: string) => label.split(".").slice(-2).join(".");
  return {
    refusals,
    error: "",
    agents: view.agents.map(({ name, resource, apps, environment, scripts, devcontainers }) => ({
      name,
      resource: short(resource),
      apps: sorted(apps.map(({ slug }) => slug)),
      env: sorted(environment.map((one) => one.name)),
      scripts: sorted(scripts.map((one) => one.name)),
      dev: sorted(devcontainers.map(({ folder }) => folder)),
    })),
    resources: view.resources.map(({ address, type, icon, isHidden, dailyCost, items }) => ({
      type,
      name: /\.([^.[]*)(?:\[\d+\])?$/.exec(address)?.[1] ?? "",
      items: items.map(({ name }) => name),
      hide: isHidden,
      icon,
      cost: dailyCost,
    })),
  };
}

function expectSame(template: RandomTemplate, theirs: Judged): void {
  const seen = ours(template);
  if (theirs.error === "") {
    expect({ refusals: seen.refusals, ...comparable(seen) }).toEqual({
      refusals: [],
      ...comparable(theirs),
    });
    return;
  }
  // coder stops at the first problem of an arbitrary order.
  const words = seen.refusals.map((line) => line.slice(line.indexOf(": ") + 2).toLowerCase());
  expect(words).toContain(theirs.error.toLowerCase());
}

interface Recorded {
  readonly provenance: string;
  readonly judged: readonly Judged[];
}

const provenance =
  "What the function ConvertState of github.com/coder/coder/v2 2.30.0 says about the templates of random-template.ts, " +
  "by their seeds, written by association-outside.test.ts with TRIVET_RECORD=1.";

if (process.env["TRIVET_RECORD"] === "1" && program !== undefined) {
  it("records what coder says", () => {
    const all: Recorded = { provenance, judged: judged(seeds(200).map(randomTemplate)) };
    const lines = all.judged.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
    const text = `{\n  "provenance": ${JSON.stringify(provenance)},\n  "judged": [\n${lines}\n  ]\n}\n`;
    writeFileSync(recorded, text);
  });
}

it("sees agents, their parts and metadata as coder did", () => {
  const { judged: all } = JSON.parse(readFileSync(recorded, "utf8")) as Recorded;
  expect(all).toHaveLength(200);
  all.forEach((theirs, seed) => expectSame(randomTemplate(seed), theirs));
});

(program === undefined ? it.skip : it)("sees them as coder does", () => {
  const templates = seeds(4000).map((seed) => randomTemplate(seed + 1000));
  judged(templates).forEach((theirs, at) => {
    const template = templates[at];
    if (template !== undefined) expectSame(template, theirs);
  });
});
