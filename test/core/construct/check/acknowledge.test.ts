import { AnnotationMetadataEntryType, App, TerraformStack, Testing } from "cdktf";
import { Construct, type IConstruct } from "constructs";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acknowledge, ids, workspace } from "../../../../src";

const code = "endpoint-without-network";

const newStack = (name = "Demo", scope: Construct = Testing.app()): TerraformStack => {
  const stack = new TerraformStack(scope, name);
  new ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a" });
  return stack;
};

/** An endpoint without a network, which gets a warning. */
const endpoint = (scope: Construct, id = "edge", network?: string): ids.Endpoint =>
  new ids.Endpoint(scope, id, { endpointId: id, severity: ids.EndpointSeverity.HIGH, network });

const annotations = (type: string, { node }: IConstruct): unknown[] =>
  node.metadata.filter((entry) => entry.type === type).map(({ data }) => data as unknown);

const warnings = (construct: IConstruct): unknown[] =>
  annotations(AnnotationMetadataEntryType.WARN, construct);

const notes = (construct: IConstruct): unknown[] =>
  annotations(AnnotationMetadataEntryType.INFO, construct);

const message =
  "network: should be set; the service refuses to create an endpoint without a network [endpoint-without-network]";

describe("an acknowledged warning", () => {
  it("is a note with the reason and where it was given", () => {
    const edge = endpoint(newStack());
    expect(warnings(edge)).toEqual([message]);
    acknowledge(edge, code, "a test of the refusal");
    expect(warnings(edge)).toEqual([]);
    expect(notes(edge)).toEqual([
      `${message} (acknowledged at "Demo/edge": "a test of the refusal")`,
    ]);
  });

  it.each([
    ["the stack", (stack: TerraformStack) => stack, "Demo"],
    ["the app", (stack: TerraformStack) => stack.node.root, ""],
  ])("may be beneath the node, and come later: %s", (_, nodeOf, path) => {
    const stack = newStack();
    acknowledge(nodeOf(stack), code, "later");
    const edge = endpoint(new Construct(stack, "Group"));
    expect(warnings(edge)).toEqual([]);
    expect(notes(edge)).toEqual([`${message} (acknowledged at "${path}": "later")`]);
  });

  it("has the reason of the nearest node", () => {
    const stack = newStack();
    const group = new Construct(stack, "Group");
    acknowledge(group, code, "near");
    acknowledge(stack, code, "far");
    expect(notes(endpoint(group))).toEqual([expect.stringContaining(`"Demo/Group": "near"`)]);
    expect(notes(endpoint(stack))).toEqual([expect.stringContaining(`"Demo": "far"`)]);
  });

  it("is only that of the code, and only beneath the node", () => {
    const stack = newStack();
    const [edge, other] = [endpoint(stack), endpoint(stack, "other")];
    acknowledge(edge, "endpoint-not-zonal", "another");
    acknowledge(edge, "endpoint-without-severity", "another");
    expect([warnings(edge), warnings(other)]).toEqual([[message], [message]]);
    acknowledge(edge, code, "this one");
    expect([warnings(edge), warnings(other)]).toEqual([[], [message]]);
  });

  it("may be one of a rule across the stack", () => {
    const stack = newStack();
    new workspace.WorkspaceProvider(stack, "workspace");
    const dropped = new workspace.Agent(stack, "main", { arch: "amd64", os: "linux" });
    acknowledge(dropped, "agent-dropped", "the machine comes later");
    for (let times = 0; times < 2; times++) Testing.synth(stack, true);
    expect(warnings(dropped)).toEqual([]);
    expect(notes(dropped)).toEqual([
      expect.stringMatching(/^is dropped .*\[agent-dropped\] \(acknowledged at "Demo\/main": /),
    ]);
  });

  it("hides no error", () => {
    const stack = newStack();
    acknowledge(stack, code, "all of them");
    expect(() => new ids.Endpoint(stack, "edge", { endpointId: "" })).toThrow("1 problem");
  });
});

describe("an acknowledgement without a warning", () => {
  const stale = expect.stringMatching(
    /^the acknowledgement matches no warning: remove it.*\[endpoint-without-network\] \(acknowledged at "Demo\/edge": "old"\)$/,
  ) as string;

  it("is told once, where it is", () => {
    const stack = newStack();
    const edge = endpoint(stack, "edge", "projects/p/global/networks/n");
    acknowledge(edge, code, "old");
    for (let times = 0; times < 2; times++) Testing.synth(stack, true);
    expect(notes(edge)).toEqual([stale]);
    expect(warnings(edge)).toEqual([]);
  });

  it("is not told if it matches anything beneath the node", () => {
    const stack = newStack();
    endpoint(stack, "edge", "projects/p/global/networks/n");
    endpoint(stack, "other");
    acknowledge(stack, code, "one of them");
    Testing.synth(stack, true);
    expect(notes(stack)).toEqual([]);
  });

  it("is told for an app only if it matches in none of its stacks", () => {
    const app = Testing.app();
    const stacks = ["a", "b"].map((name) => newStack(name, app));
    for (const [index, stack] of stacks.entries()) {
      endpoint(stack, "edge", index === 0 ? undefined : "projects/p/global/networks/n");
    }
    acknowledge(app, code, "one of them");
    acknowledge(app, "agent-dropped", "none");
    for (const stack of stacks) Testing.synth(stack, true);
    expect(stacks.map(notes)).toEqual([
      [],
      [expect.stringMatching(/^the acknowledgement .*\[agent-dropped\]/)],
    ]);
  });
});

describe("what cannot be acknowledged is refused:", () => {
  const edge = endpoint(newStack());
  it.each([
    ["a code with a mistake", edge, "endpoint-without-netwrk", "x", `did you mean "${code}"?`],
    ["a code of nothing", edge, "nothing", "x", "each warning ends with its code, in brackets"],
    ["an error", edge, "MISSING", "x", "is the code of errors, which cannot be acknowledged"],
    ["nothing", edge, undefined, "x", "must be the code of a warning (got undefined)"],
    ["no reason", edge, code, "  ", `"${code}" needs a reason`],
    ["a reason that is none", edge, code, 1, `"${code}" needs a reason`],
    ["a token as reason", edge, code, edge.name, "must be plain text, not a token"],
    [
      "no construct",
      { node: {} },
      code,
      "x",
      "must be a construct, a stack or the app (got object)",
    ],
    ["null", null, code, "x", "must be a construct, a stack or the app (got null)"],
  ])("%s", (_, construct, given, reason, problem) => {
    const call = (): unknown =>
      Reflect.apply(acknowledge, undefined, [construct, given, reason]) as unknown;
    expect(call).toThrow(/^acknowledge: /);
    expect(call).toThrow(problem);
    expect(warnings(edge)).toEqual([message]);
  });
});

test("the synthesized stack is the same, and the manifest has the note", () => {
  const synthesized = (isAcknowledged: boolean) => {
    const outdir = mkdtempSync(join(tmpdir(), "trivet-acknowledge-"));
    try {
      const app = new App({ outdir });
      const edge = endpoint(newStack("Demo", app));
      if (isAcknowledged) acknowledge(edge, code, 'said "no"\nand why');
      app.synth();
      return {
        stack: readFileSync(join(outdir, "stacks", "Demo", "cdk.tf.json"), "utf8"),
        manifest: readFileSync(join(outdir, "manifest.json"), "utf8"),
      };
    } finally {
      rmSync(outdir, { recursive: true });
    }
  };
  const [without, withOne] = [synthesized(false), synthesized(true)];
  expect(withOne.stack).toBe(without.stack);
  expect(without.manifest).toContain(AnnotationMetadataEntryType.WARN);
  expect(withOne.manifest).not.toContain(AnnotationMetadataEntryType.WARN);
  expect(withOne.manifest).toContain("acknowledged at");
});
