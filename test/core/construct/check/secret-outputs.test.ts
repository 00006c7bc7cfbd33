import { App, Fn, TerraformLocal, TerraformOutput, TerraformStack, Testing } from "cdktf";
import type { Construct } from "constructs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ids } from "../../../../src";
import { DataSourceConstruct } from "../../../../src/core/construct";
import { computed, dataSource, required, t } from "../../../../src/core/schema";
import { FactBinding } from "../fact";

const riddleDeclaration = dataSource("ids_fact", {
  doc: "A fact that nobody may read.",
  attributes: {
    topic: required(t.string(), { doc: "What it is about." }),
    solution: computed(t.string(), { doc: "The fact.", wire: "answer", sensitive: true }),
  },
});

class Riddle extends DataSourceConstruct<FactBinding> {
  constructor(scope: Construct, id: string, props: { topic: string; count?: number }) {
    super(scope, id, riddleDeclaration, props, (parent, childId, config) => {
      return new FactBinding(parent, childId, { topic: props.topic, ...config });
    });
  }

  get solution(): string {
    return this.resource.answer;
  }
}

let stack: TerraformStack;
let riddle: Riddle;

beforeEach(() => {
  stack = new TerraformStack(Testing.app(), "Demo");
  new ids.IdsProvider(stack, "ids");
  riddle = new Riddle(stack, "sphinx", { topic: "legs" });
});

function problems(): string {
  try {
    Testing.synth(stack, true);
  } catch (error) {
    return String(error);
  }
  return "";
}

const output = (value: unknown, sensitive?: boolean): TerraformOutput =>
  new TerraformOutput(stack, "out", { value, ...(sensitive !== undefined && { sensitive }) });

describe("an output that shows a secret", () => {
  test("is refused at the construct that has the secret, with the output's path and the fix", () => {
    output(riddle.solution);
    expect(problems()).toContain(
      "[Demo] ids.DataFact at Demo/sphinx: 1 problem\n  solution: is a secret that the output Demo/out shows: set `sensitive: true` on that output",
    );
  });

  const forms: readonly (readonly [string, () => unknown])[] = [
    ["in a text", () => `It is ${riddle.solution}.`],
    ["in a list in a map", () => ({ all: ["x", riddle.solution] })],
    ["through a function", () => Fn.upper(riddle.solution)],
    ["through an operator", () => `\${${riddle.fqn}.answer == "x" ? "y" : "z"}`],
    ["of one instance", () => `\${${riddle.fqn}[0].answer}`],
    ["of all instances", () => `\${join(",", ${riddle.fqn}[*].answer)}`],
    ["as an expression of the user's own", () => "${upper(data.ids_fact.sphinx.answer)}"],
    ["as a part of the whole element", () => riddle],
    ["through a local", () => new TerraformLocal(stack, "l", riddle.solution).asString],
    [
      "through a local's part",
      () => {
        new TerraformLocal(stack, "l", { a: riddle.solution });
        return "${local.l.a}";
      },
    ],
  ];

  test.each(forms)("is refused %s", (_form, value) => {
    output(value());
    expect(problems()).toContain("the output Demo/out shows");
  });

  test("is refused when it is explicitly not sensitive, also by an override", () => {
    output(riddle.solution, true).addOverride("sensitive", false);
    expect(problems()).toContain("Demo/out");
  });

  test("is reported once for each output, however often it shows the secret", () => {
    output(`${riddle.solution} ${riddle.solution}`);
    new TerraformOutput(stack, "other", { value: riddle.solution });
    expect(problems().match(/the output/g)).toHaveLength(2);
  });
});

describe("an output is fine", () => {
  test.each([
    ["when it is sensitive", () => output(riddle.solution, true)],
    [
      "when an override makes it sensitive",
      () => output(riddle.solution).addOverride("sensitive", true),
    ],
    ["when another attribute is shown", () => output(riddle.resource.topic)],
    [
      "when the user declares that it is not a secret",
      () => output(Fn.nonsensitive(`a ${riddle.solution}`)),
    ],
    [
      "when it shows only whether it is sensitive",
      () => output("${issensitive(data.ids_fact.sphinx.answer)}"),
    ],
    [
      "when it uses other attributes of the element",
      () => output("${[for a in data.ids_fact.sphinx : a.topic]}"),
    ],
    [
      "when only a quoted string looks like it",
      () => output('${upper("data.ids_fact.sphinx.answer")}'),
    ],
    [
      "when another part of a local is shown",
      () => {
        new TerraformLocal(stack, "l", { a: riddle.solution, b: "x" });
        output("${local.l.b}");
      },
    ],
    [
      "when locals refer to each other in a circle",
      () => output(new TerraformLocal(stack, "l", "${local.l}").asString),
    ],
  ] as const)("%s", (_case, declare) => {
    declare();
    expect(problems()).toBe("");
  });

  test("for constructs without secrets", () => {
    const endpoint = new ids.Endpoint(stack, "edge", { endpointId: "edge", network: "n" });
    new TerraformOutput(stack, "id", { value: endpoint.id });
    new TerraformOutput(stack, "all", { value: endpoint });
    expect(problems()).toBe("");
  });
});

describe("several stacks", () => {
  test("an output of another stack is also refused, but not the one that cdktf generates to pass a value on", () => {
    const outdir = mkdtempSync(join(tmpdir(), "trivet-"));
    const app = new App({ outdir });
    const [one, two] = [new TerraformStack(app, "One"), new TerraformStack(app, "Two")];
    const secret = new Riddle(one, "sphinx", { topic: "legs" });
    for (const each of [one, two]) new ids.IdsProvider(each, "ids");
    new ids.Endpoint(two, "edge", {
      endpointId: "edge",
      network: "n",
      description: secret.solution,
    });
    const shown = new TerraformOutput(two, "out", { value: secret.solution });
    expect(() => app.synth()).toThrow(/One\/sphinx: 1 problem\n.*the output Two\/out shows/);
    shown.sensitive = true;
    expect(() => app.synth()).not.toThrow();
    rmSync(outdir, { recursive: true });
  });
});
