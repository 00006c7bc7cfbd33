import {
  App,
  Fn,
  TerraformCount,
  TerraformIterator,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
} from "cdktf";
import { Construct } from "constructs";
import { Endpoint as RawEndpoint } from "../../../../bindings/providers/ids/endpoint";
import { IdsProvider as RawProvider } from "../../../../bindings/providers/ids/provider";
import { ids } from "../../../../src";
import { endpointNames, synthesized, synthesizedResources } from "../synthesized";

const newStack = (name = "Demo"): TerraformStack => {
  const stack = new TerraformStack(Testing.app(), name);
  new ids.IdsProvider(stack, "ids", { project: "p" });
  return stack;
};

const network = "projects/p/global/networks/n";
const everything = {
  endpointId: "edge",
  location: "us-central1-f",
  project: "p",
  network,
  severity: ids.EndpointSeverity.LOW,
  description: "Watches the edge",
  labels: { team: "security" },
  requestId: "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6f",
  threatExceptions: ["85998", "30013"],
  trafficLogs: true,
  timeouts: { create: "30m", update: "10m", delete: "1h" },
};

describe("the synthesized JSON", () => {
  test("of the minimum that an endpoint needs", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", { endpointId: "edge" });
    expect(synthesized(stack)).toMatchSnapshot();
  });

  test("of everything set", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", everything);
    expect(synthesized(stack)).toMatchSnapshot();
  });

  test("of properties that are set to undefined", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", {
      endpointId: "edge",
      network: undefined,
      severity: undefined,
      labels: undefined,
      timeouts: { create: undefined },
      dependsOn: undefined,
    });
    expect(synthesizedResources(stack)).toMatchObject({
      ids_endpoint: { edge: { endpoint_id: "edge" } },
    });
  });

  test("of count", () => {
    const stack = newStack();
    const count = TerraformCount.of(2);
    new ids.Endpoint(stack, "edge", { endpointId: `edge-${Token.asString(count.index)}`, count });
    expect(synthesizedResources(stack)).toMatchSnapshot();
  });

  test("of forEach", () => {
    const stack = newStack();
    const forEach = TerraformIterator.fromMap({ a: "us-central1-a", b: "us-central1-b" });
    new ids.Endpoint(stack, "edge", {
      endpointId: `edge-${forEach.key}`,
      location: Token.asString(forEach.value),
      forEach,
    });
    expect(synthesizedResources(stack)).toMatchSnapshot();
  });

  test("of an aliased provider, ours and a generated one", () => {
    const stack = newStack();
    const ours = new ids.IdsProvider(stack, "east", { region: "us-east1", alias: "east" });
    const raw = new RawProvider(stack, "west", { region: "us-west1", alias: "west" });
    new ids.Endpoint(stack, "a", { endpointId: "a", provider: ours });
    new ids.Endpoint(stack, "b", { endpointId: "b", provider: raw });
    expect(synthesized(stack)).toMatchSnapshot();
  });

  test("of lifecycle", () => {
    const stack = newStack();
    const other = new ids.Endpoint(stack, "other", { endpointId: "other" });
    new ids.Endpoint(stack, "edge", {
      endpointId: "edge",
      lifecycle: {
        createBeforeDestroy: true,
        preventDestroy: true,
        ignoreChanges: ["labels"],
        replaceTriggeredBy: [other, other.resource, other.id, "ids_endpoint.other.name"],
      },
    });
    expect(synthesizedResources(stack)).toMatchSnapshot();
  });

  test("of provisioners and a connection", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "edge", {
      endpointId: "edge",
      provisioners: [{ type: "local-exec", command: "true" }],
      connection: { type: "ssh", host: "example.com" },
    });
    expect(synthesizedResources(stack)).toMatchSnapshot();
  });

  test("of dependsOn with a construct of ours", () => {
    const stack = newStack();
    const first = new ids.Endpoint(stack, "first", { endpointId: "first" });
    new ids.Endpoint(stack, "second", { endpointId: "second", dependsOn: [first] });
    expect(synthesizedResources(stack)).toHaveProperty("ids_endpoint.second.depends_on", [
      "ids_endpoint.first",
    ]);
  });

  test("of node.addDependency with a construct of ours", () => {
    const stack = newStack();
    const first = new ids.Endpoint(stack, "first", { endpointId: "first" });
    const second = new ids.Endpoint(stack, "second", { endpointId: "second" });
    second.node.addDependency(first);
    expect(synthesizedResources(stack)).toHaveProperty("ids_endpoint.second.depends_on", [
      "ids_endpoint.first",
    ]);
  });

  test("of node.addDependency on and of a group", () => {
    const stack = newStack();
    const [before, after] = [new Construct(stack, "Before"), new Construct(stack, "After")];
    const first = new ids.Endpoint(stack, "first", { endpointId: "first" });
    new RawEndpoint(before, "a", { endpointId: "a" });
    new ids.Endpoint(before, "b", { endpointId: "b" });
    const late = new ids.Endpoint(after, "late", { endpointId: "late", dependsOn: [first] });
    late.overrideLogicalId("late");
    after.node.addDependency(before, first);
    expect(synthesizedResources(stack)).toHaveProperty("ids_endpoint.late.depends_on", [
      "ids_endpoint.first",
      expect.stringMatching(/^ids_endpoint\.Before_a_/),
      expect.stringMatching(/^ids_endpoint\.Before_b_/),
    ]);
  });

  test("of node.addDependency on another stack orders the stacks", () => {
    const app = Testing.app();
    const [one, two] = [new TerraformStack(app, "One"), new TerraformStack(app, "Two")];
    for (const stack of [one, two]) new ids.IdsProvider(stack, "ids");
    const first = new ids.Endpoint(one, "first", { endpointId: "first" });
    new ids.Endpoint(two, "second", { endpointId: "second" }).node.addDependency(first);
    expect(synthesizedResources(two)).not.toHaveProperty("ids_endpoint.second.depends_on.0");
    expect(two.dependsOn(one)).toBe(true);
  });

  test("of tokens from variables", () => {
    const stack = newStack();
    const text = new TerraformVariable(stack, "text", { type: "string" });
    const flag = new TerraformVariable(stack, "flag", { type: "bool" });
    const list = new TerraformVariable(stack, "list", { type: "list(string)" });
    const map = new TerraformVariable(stack, "map", { type: "map(string)" });
    new ids.Endpoint(stack, "edge", {
      endpointId: `edge-${text.stringValue}`,
      network: text.stringValue,
      severity: Token.asAny(text.stringValue),
      labels: Token.asStringMap(map.value),
      threatExceptions: list.listValue,
      trafficLogs: flag.booleanValue,
      timeouts: { create: text.stringValue },
      description: "in ${var.text}",
    });
    expect(synthesized(stack)).toMatchSnapshot();
  });

  test("of a reference from one stack to another", () => {
    const app = Testing.app();
    const from = new TerraformStack(app, "From");
    const to = new TerraformStack(app, "To");
    for (const stack of [from, to]) new ids.IdsProvider(stack, "ids");
    const edge = new ids.Endpoint(from, "edge", { endpointId: "edge" });
    new ids.Endpoint(to, "copy", { endpointId: "copy", description: `like ${edge.name}` });
    for (const stack of [from, to]) stack.prepareStack();
    const backend = /"path": "[^"]*"/g;
    const texts = [from, to].map((stack) =>
      Testing.synth(stack, true).replaceAll(backend, '"path": "<path>"'),
    );
    expect(texts.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      {
        output: {
          "cross-stack-output-ids_endpointedgename": { value: "${ids_endpoint.edge.name}" },
        },
      },
      {
        data: { terraform_remote_state: {} },
        resource: {
          ids_endpoint: {
            copy: {
              description:
                "like ${data.terraform_remote_state.cross-stack-reference-input-From.outputs.cross-stack-output-ids_endpointedgename}",
            },
          },
        },
      },
    ]);
  });
});

describe("compared with the generated binding", () => {
  const both = (
    build: (stack: TerraformStack, Endpoint: typeof RawEndpoint | typeof ids.Endpoint) => void,
  ) => {
    const [ours, raw] = [newStack(), newStack()];
    build(ours, ids.Endpoint);
    build(raw, RawEndpoint);
    return [synthesizedResources(ours), synthesizedResources(raw)];
  };

  test("the same input produces the same resources", () => {
    const [ours, raw] = both((stack, Endpoint) => {
      const variable = new TerraformVariable(stack, "v", {});
      const first = new Endpoint(stack, "edge", everything);
      new Endpoint(stack, "rim", {
        endpointId: "rim",
        description: `after ${first.name}`,
        labels: Token.asStringMap(variable.value),
        threatExceptions: Token.asList(Fn.concat([first.threatExceptions, ["1"]])),
        dependsOn: [first],
        lifecycle: { createBeforeDestroy: true },
      });
      new Endpoint(new Construct(stack, "Group"), "deep", { endpointId: "deep", count: 2 });
    });
    expect(ours).toEqual(raw);
  });
});

describe("names in Terraform", () => {
  test("a construct directly in a stack has its own ID", () => {
    const stack = newStack();
    const endpoint = new ids.Endpoint(stack, "edge", { endpointId: "e" });
    new TerraformOutput(stack, "address", { value: endpoint.fqn });
    expect(synthesized(stack)["output"]).toEqual({ address: { value: "${ids_endpoint.edge}" } });
  });

  test("overrideLogicalId sets another one, and can be reset", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", { endpointId: "e" });
    const rim = new ids.Endpoint(stack, "rim", { endpointId: "r" });
    edge.overrideLogicalId("mine");
    rim.overrideLogicalId("yours");
    rim.resetOverrideLogicalId();
    expect(endpointNames(stack)).toEqual(["mine", "rim"]);
  });
});

describe("values passed to the binding", () => {
  test("importFrom generates an import block, with the provider", () => {
    const stack = newStack();
    const provider = new ids.IdsProvider(stack, "east", { alias: "east" });
    const edge = new ids.Endpoint(stack, "edge", { endpointId: "e" });
    edge.importFrom("p/us-central1-f/e", provider);
    const parsed = JSON.parse(Testing.synth(stack)) as object;
    expect(parsed).toHaveProperty("import", [
      { id: "p/us-central1-f/e", provider: "ids.east", to: "ids_endpoint.edge" },
    ]);
  });

  test("moveTo moves the state to the resource with that name", () => {
    const stack = newStack();
    const from = new ids.Endpoint(stack, "old", { endpointId: "e" });
    const to = new ids.Endpoint(stack, "new", { endpointId: "e" });
    to.addMoveTarget("home");
    from.moveTo("home");
    const parsed = synthesized(stack);
    expect(parsed["moved"]).toEqual([{ from: "ids_endpoint.old", to: "ids_endpoint.new" }]);
    expect(endpointNames(stack)).toEqual(["new"]);
  });

  test("moveToId and moveFromId move the state by address", () => {
    const stack = newStack();
    new ids.Endpoint(stack, "old", { endpointId: "a" }).moveToId("ids_endpoint.elsewhere");
    new ids.Endpoint(stack, "new", { endpointId: "b" }).moveFromId("ids_endpoint.before");
    expect(synthesized(stack)["moved"]).toEqual([
      { from: "ids_endpoint.old", to: "ids_endpoint.elsewhere" },
      { from: "ids_endpoint.before", to: "ids_endpoint.new" },
    ]);
  });

  test("moveFromId takes over the endpoint of another provider", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", { endpointId: "a" });
    edge.moveFromId("google_cloud_ids_endpoint.edge");
    expect(synthesized(stack)["moved"]).toEqual([
      { from: "google_cloud_ids_endpoint.edge", to: "ids_endpoint.edge" },
    ]);
  });

  test("addOverride sets attributes that the construct does not offer", () => {
    const stack = newStack();
    const edge = new ids.Endpoint(stack, "edge", { endpointId: "e" });
    edge.addOverride("lifecycle.prevent_destroy", true);
    edge.addOverride("description", "overridden");
    expect(synthesizedResources(stack)).toMatchObject({
      ids_endpoint: { edge: { lifecycle: { prevent_destroy: true }, description: "overridden" } },
    });
  });
});

test("the given properties are not changed, and later changes to them have no effect", () => {
  const stack = newStack();
  const threatExceptions = ["1"];
  const labels = { team: "a" };
  const props = Object.freeze({ endpointId: "e", threatExceptions, labels, dependsOn: [] });
  new ids.Endpoint(stack, "edge", props);
  threatExceptions.push("2");
  labels.team = "b";
  expect(synthesizedResources(stack)).toMatchObject({
    ids_endpoint: { edge: { threat_exceptions: ["1"], labels: { team: "a" } } },
  });
});

test("a whole app is synthesized, in the deepest construct too", () => {
  const app = new App({ outdir: Testing.stubVersion(Testing.app()).outdir });
  const stack = new TerraformStack(app, "Demo");
  new ids.IdsProvider(stack, "ids");
  const deep = new ids.Endpoint(new Construct(new Construct(stack, "A"), "B"), "edge", {
    endpointId: "e",
  });
  expect(() => app.synth()).not.toThrow();
  expect(deep.node.path).toBe("Demo/A/B/edge");
});
