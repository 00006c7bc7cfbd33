import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Annotations,
  App,
  Aspects,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import { format } from "pretty-format";
import { ids } from "@trivet/constructs";
import { planMatchers, planOf } from "@trivet/constructs/testing";
import { IdsDemoStack } from "../../../stacks/ids-demo-stack";
import { synthesize } from "../../../src/planner/testing/plan-of";
import { WatchStack } from "./watch-stack";

expect.extend(planMatchers);

const folder = mkdtempSync(join(tmpdir(), "trivet-plan-of-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const name = "projects/p/locations/us-central1-a/endpoints/edge";
const attributes = {
  id: name,
  name,
  endpoint_id: "edge",
  location: "us-central1-a",
  project: "p",
  network: "projects/p/global/networks/n",
  severity: "HIGH",
  traffic_logs: false,
  state: "READY",
  create_time: "1",
  update_time: "2",
  endpoint_forwarding_rule: "rule",
  endpoint_ip: "10.0.0.1",
};
const state = {
  version: 4,
  resources: [
    {
      mode: "managed",
      type: "ids_endpoint",
      name: "edge",
      provider: 'provider["trivet.local/trivet/ids"]',
      instances: [{ schema_version: 0, attributes }],
    },
  ],
};

describe("from", () => {
  const stack = new WatchStack({ severity: "LOW", output: false });

  test("is nothing unless it is named", async () => {
    const plan = await planOf(stack);
    expect(plan).toCreate(stack.edge);
    expect(plan.text).toContain("watch: 1 to add, compared with nothing deployed\n");
  });

  test("can be a state, as a file or as its parsed content", async () => {
    const path = file("app.tfstate", JSON.stringify(state));
    for (const from of [path, state]) {
      const plan = await planOf(stack, { from });
      expect(plan).toUpdate(stack.edge, ["severity"]);
      expect(plan.changes?.resources[0]?.attributes).toContainEqual({
        path: "severity",
        action: "change",
        before: "HIGH",
        after: "LOW",
        forcesReplacement: false,
      });
    }
    expect((await planOf(stack, { from: path })).text).toContain("the state in app.tfstate\n");
  });

  test.each([
    [join(folder, "missing"), "The state file in `from` cannot be read"],
    [file("broken", "{"), "is not a state file, because it is not JSON."],
    [file("old", '{"version":3}'), "the state has the version 3, but only version 4 can be read"],
    [{ version: 3 }, "The state in `from` cannot be used: the state has the version 3"],
  ])("is refused if it cannot be used", async (from, message) => {
    await expect(planOf(stack, { from })).rejects.toThrow(message);
  });

  test("is refused if it is a stack with errors", async () => {
    const from = new WatchStack();
    new TerraformOutput(from, "lost", { value: "${var.missing}" });
    await expect(planOf(stack, { from })).rejects.toThrow(
      "The stack in `from` has errors, so it cannot have been deployed: output.lost: Invalid expression. There is no var.missing in the stack.",
    );
  });
});

test("takes the values of variables", async () => {
  const stack = new WatchStack({ description: "${var.purpose}", output: false });
  new TerraformVariable(stack, "purpose", { type: "string", default: "tests" });
  const from = new WatchStack({ description: "tests", output: false });
  expect(await planOf(stack, { from })).toKeep(stack.edge);
  const plan = await planOf(stack, { from, variables: { purpose: "more" } });
  expect(plan).not.toKeep(stack.edge);
  expect(plan.text).toContain('description = "tests" → "more"');
});

test("the text is the snapshot of a plan, without secrets", async () => {
  const stack = new WatchStack({ labels: { team: "${var.team}" }, output: false });
  new TerraformVariable(stack, "team", { sensitive: true });
  const variables = { team: "hunter2" };
  const plan = await planOf(stack, { variables });
  expect(JSON.stringify([plan, plan.changes])).not.toContain("hunter2");
  const again = new WatchStack({ labels: { team: "${var.team}" }, output: false });
  new TerraformVariable(again, "team", { sensitive: true });
  expect((await planOf(again, { variables })).text).toBe(plan.text);
  // What jest writes to a file: the text, as it is.
  expect(format(plan, { escapeString: false })).toBe(`"${plan.text}"`);
  expect(plan.text).toBe(`
  + ids_endpoint.edge
      + endpoint_id = "edge"
      + id = "projects/p/locations/us-central1-a/endpoints/edge"
      + labels = { team = (sensitive) }
      + location = "us-central1-a"
      + name = "projects/p/locations/us-central1-a/endpoints/edge"
      + network = "projects/p/global/networks/n"
      + project = "p"
      + severity = "HIGH"
      + traffic_logs = false
      + create_time, endpoint_forwarding_rule, endpoint_ip, state, update_time = (known after apply)

watch: 1 to add, compared with nothing deployed
`);
});

describe("a stack is synthesized", () => {
  test("as `app.synth()` does", () => {
    const app = new App({ outdir: folder });
    const stack = new IdsDemoStack(app, "demo");
    const { content } = synthesize(stack);
    app.synth();
    const text = readFileSync(join(folder, "stacks", "demo", "cdk.tf.json"), "utf8");
    expect(content).toEqual(JSON.parse(text));
  });

  test("with its aspects, each once for a construct", async () => {
    const stack = new WatchStack();
    const seen: string[] = [];
    const aspect = {
      visit: (construct: { node: { path: string } }) => {
        seen.push(construct.node.path);
        if (construct instanceof ids.Endpoint) construct.addOverride("severity", "LOW");
      },
    };
    Aspects.of(stack).add(aspect);
    Aspects.of(stack.edge).add(aspect);
    expect(await planOf(stack, { from: new WatchStack() })).toUpdate(stack.edge, ["severity"]);
    expect(seen.filter((path) => path === "watch/edge")).toHaveLength(1);
  });

  test("with its validations, and errors of its constructs", async () => {
    const twice = new WatchStack();
    new ids.Endpoint(twice, "other", {
      endpointId: "edge",
      network: "projects/p/global/networks/n",
    });
    await expect(planOf(twice)).rejects.toThrow("watch/other");
    const refused = new WatchStack();
    Annotations.of(refused.edge).addError("not today");
    await expect(planOf(refused)).rejects.toThrow(
      "The stack has errors:\n  [watch/edge] not today",
    );
  });

  test("with references to another stack, of which only the network knows the values", async () => {
    const app = new App();
    const [first, second] = ["first", "second"].map((id) => new TerraformStack(app, id));
    if (first === undefined || second === undefined) throw new Error("no stacks");
    for (const each of [first, second]) {
      new ids.IdsProvider(each, "ids", { project: "p", zone: "us-central1-a" });
    }
    const props = { endpointId: "edge", network: "n", severity: "HIGH" } as const;
    const edge = new ids.Endpoint(first, "edge", props);
    const office = new ids.Endpoint(second, "office", { ...props, description: edge.endpointIp });
    const plan = await planOf(second);
    expect(plan).toCreate(office);
    expect(plan.text).toContain("? data.terraform_remote_state.");
  });
});

test("writes nothing, and opens no connection", async () => {
  const places = [tmpdir(), process.cwd(), folder];
  const before = places.map((place) => readdirSync(place).filter(isOurs));
  const stack = new WatchStack();
  expect(await planOf(stack, { from: new WatchStack() })).toChangeNothing();
  expect(places.map((place) => readdirSync(place).filter(isOurs))).toEqual(before);
});

/** Other test files use the same folder for temporary files. */
const isOurs = (name: string): boolean => /cdktf|tfstate|plan-of/.test(name);
