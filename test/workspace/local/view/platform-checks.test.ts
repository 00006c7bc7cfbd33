import {
  claimWarnings,
  inputFindings,
  platformFindings,
} from "../../../../src/workspace/local/view/platform-checks";
import { platformView } from "../../../../src/workspace/local/view/platform-view";
import {
  planSummary,
  type ResourceValues,
} from "../../../../src/workspace/local/terraform/resource-values";
import { data, graphOf, managed } from "../resources";

const prefix = "workspace_";

function findings(resources: readonly ResourceValues[], ...edges: (readonly [string, string])[]) {
  const graph = graphOf(...edges);
  return platformFindings(platformView(resources, graph, prefix), resources, graph, prefix);
}

it("accepts an agent that runs on a resource", () => {
  const agent = managed("workspace_agent.main");
  const found = findings([agent, managed("vm.a")], ["vm.a", "workspace_agent.main"]);
  expect(found).toEqual({ refusals: [], warnings: [] });
});

it("warns of agents that are dropped, and of what finds no agent", () => {
  const found = findings([managed("workspace_agent.main"), managed("workspace_env.x")]);
  expect(found.refusals).toEqual([]);
  expect(found.warnings).toEqual([
    expect.stringContaining("No resource depends on workspace_agent.main"),
    expect.stringContaining("finds no agent for workspace_env.x"),
  ]);
});

it.each([
  ["workspace_agent.my_agent", "my_agent"],
  ["workspace_agent.a--b", "a--b"],
])("refuses the name of %s", (address, name) => {
  const found = findings([managed(address), managed("vm.a")], ["vm.a", address]);
  expect(found.refusals).toEqual([expect.stringContaining(`"${name}"`)]);
});

it("refuses agents and apps with the same name", () => {
  const found = findings(
    [
      managed("workspace_agent.main", { id: "1" }),
      managed("module.m.workspace_agent.Main", { id: "2" }),
      managed("vm.a"),
      managed("workspace_app.x", { agent_id: "1", slug: "web" }),
      managed("workspace_app.y", { agent_id: "2", slug: "web" }),
    ],
    ["vm.a", "workspace_agent.main"],
    ["vm.a", "module.m.workspace_agent.Main"],
  );
  expect(found.refusals).toEqual([
    expect.stringContaining('Several agents are named "main"'),
    expect.stringContaining('slug "web"'),
  ]);
});

it("refuses parameters and presets with the same name, and two default presets", () => {
  const found = findings([
    data("data.workspace_parameter.a", { name: "size" }),
    data("data.workspace_parameter.b", { name: "size" }),
    data("data.workspace_workspace_preset.a", { name: "S", default: true, parameters: {} }),
    data("data.workspace_workspace_preset.b", {
      name: "S",
      default: true,
      parameters: { no: "1" },
    }),
  ]);
  expect(found.refusals).toEqual([
    'Several parameters are named "size".',
    'Several presets are named "S".',
    'Several presets are marked as the default: "S", "S".',
  ]);
});

it("refuses two metadata for one resource", () => {
  const found = findings(
    [managed("vm.a"), managed("workspace_metadata.x"), managed("workspace_metadata.y[0]")],
    ["workspace_metadata.x", "vm.a"],
    ["workspace_metadata.y", "vm.a"],
  );
  expect(found.refusals).toEqual(["Several metadata resources describe vm.a."]);
});

describe("inputs", () => {
  const view = platformView(
    [
      data("data.workspace_parameter.a", { name: "disk", value: "20", mutable: false }),
      data("data.workspace_parameter.b", { name: "size", value: "2", mutable: true }),
      data("data.workspace_external_auth.git", { id: "git" }),
      data("data.workspace_external_auth.more", { id: "more", optional: true }),
    ],
    graphOf(),
    prefix,
  );
  const none = { parameters: {}, previous: {}, externalAuth: undefined };

  it("may not change a parameter that is not mutable", () => {
    const { refusals } = inputFindings(view, { ...none, previous: { disk: "10", size: "1" } });
    expect(refusals).toEqual([
      'Immutable parameter changed; Parameter "disk" is not mutable, so it can\'t be updated after ' +
        'creating a workspace. It has the value "10".',
    ]);
  });

  it("may have a name that all objects have", () => {
    const values = { name: "constructor", value: "x", mutable: false };
    const parameter = platformView(
      [
        data("data.workspace_parameter.c", values),
        data("data.workspace_external_auth.t", { id: "toString" }),
      ],
      graphOf(),
      prefix,
    );
    expect(inputFindings(parameter, { ...none, externalAuth: {} }).refusals).toEqual([
      'The owner must log in to the external provider "toString" first.',
    ]);
  });

  it("must name existing parameters", () => {
    const { warnings } = inputFindings(view, { ...none, parameters: { sise: "1", size: "2" } });
    expect(warnings).toEqual(['The template has no parameter "sise": the value is ignored.']);
  });

  it("need a login to each external provider that is not optional", () => {
    expect(inputFindings(view, { ...none, externalAuth: {} }).refusals).toEqual([
      'The owner must log in to the external provider "git" first.',
    ]);
    expect(inputFindings(view, { ...none, externalAuth: { git: "t" } }).refusals).toEqual([]);
  });
});

it("warns when a claim replaces prebuilt resources or agents, and says which values cause it", () => {
  const plan = {
    resource_changes: [
      replaced("vm.a", "vm", [
        ["labels", "owner"],
        ["disk", 0, "size"],
      ]),
      replaced("vm.c", "vm", undefined),
      { address: "vm.b", type: "vm", change: { actions: ["update"] } },
      replaced("workspace_agent.main", "workspace_agent", [["env"]]),
      replaced("workspace_env.x", "workspace_env", [["agent_id"]]),
    ],
  };
  expect(claimWarnings(planSummary(plan), prefix)).toEqual([
    expect.stringContaining("replaces vm.a because of labels.owner, disk[0].size, so users wait"),
    expect.stringContaining("replaces vm.c, so users wait for it all the same"),
    expect.stringContaining(
      "replaces workspace_agent.main because of env, so its machine has an outdated token",
    ),
  ]);
});

const replaced = (address: string, type: string, paths: unknown) => ({
  address,
  type,
  change: { actions: ["delete", "create"], replace_paths: paths },
});
