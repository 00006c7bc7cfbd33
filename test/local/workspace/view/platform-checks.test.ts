import { claimWarnings, inputFindings } from "../../../../src/local/workspace/view/platform-checks";
import { platformReading } from "../../../../src/local/workspace/view/platform-view";
import {
  planSummary,
  type ResourceValues,
} from "../../../../src/local/workspace/terraform/resource-values";
import { data, graphOf, managed } from "../resources";

const prefix = "workspace_";

const reading = (resources: readonly ResourceValues[], ...edges: (readonly [string, string])[]) =>
  platformReading(resources, graphOf(...edges), prefix);

it("accepts an agent that runs on a resource", () => {
  const agent = managed("workspace_agent.main");
  const found = reading([agent, managed("vm.a")], ["vm.a", "workspace_agent.main"]);
  expect(found).toMatchObject({ refusals: [], warnings: [] });
});

it("warns of agents that are dropped, and of parts without an agent", () => {
  const lost = managed("workspace_env.x", { agent_id: "a9" });
  const found = reading(
    [managed("workspace_agent.main"), lost],
    ["workspace_env.y", "workspace_agent.main"],
  );
  expect(found.refusals).toEqual([]);
  expect(found.warnings).toEqual([
    expect.stringContaining("No resource depends on workspace_agent.main"),
    expect.stringContaining("finds no agent for workspace_env.x"),
  ]);
});

it("does not warn of parts in modules, which each build finds by the agent's ID", () => {
  const found = reading(
    [managed("workspace_agent.main"), managed("vm.a"), managed("module.ide.workspace_app.x")],
    ["vm.a", "workspace_agent.main"],
    ["module.ide.workspace_app.x", "workspace_agent.main"],
  );
  expect(found).toMatchObject({
    refusals: [],
    warnings: [],
    view: { unattached: ["module.ide.workspace_app.x"] },
  });
});

it("warns of variables of an agent that are set twice", () => {
  const set = (address: string, name: string, rest = {}) =>
    managed(address, { agent_id: "1", name, ...rest });
  const variables = [
    set("workspace_env.a", "PATH", { merge_strategy: "replace" }),
    set("workspace_env.b", "PATH"),
    set("workspace_env.c", "PATH", { merge_strategy: "append" }),
    set("workspace_env.d", "EDITOR"),
    set("workspace_env.e", "ONE", { merge_strategy: "error" }),
    set("workspace_env.f", "ONE", { merge_strategy: "append" }),
  ];
  const { warnings } = reading(
    [
      managed("workspace_agent.main", { id: "1", env: { EDITOR: "vi" } }),
      managed("vm.a"),
      ...variables,
    ],
    ["vm.a", "workspace_agent.main"],
    ...variables.map(({ address }) => [address, "workspace_agent.main"] as const),
  );
  expect(warnings).toEqual([
    "workspace_env.d cannot overwrite EDITOR, which is in the env of workspace_agent.main, too. Remove one of the two.",
    "workspace_env.e allows no other value of ONE, but workspace_env.f sets it, too.",
    "workspace_env.a is lost: workspace_env.b sets PATH, too, and is processed later.",
  ]);
});

it("warns of an app whose address is too long for a host name", () => {
  const app = (slug: string, subdomain: boolean) =>
    managed("workspace_app.x", { agent_id: "1", slug, subdomain });
  const names = { workspace: "my-workspace", owner: "ada" };
  const warnings = (part: ResourceValues, known?: typeof names) =>
    platformReading(
      [managed("workspace_agent.main", { id: "1" }), managed("vm.a"), part],
      graphOf(["vm.a", "workspace_agent.main"], ["workspace_app.x", "workspace_agent.main"]),
      prefix,
      undefined,
      known,
    ).warnings;
  const slug = "a".repeat(44);
  expect(warnings(app(slug, true), names)).toEqual([]);
  expect(warnings(app(`${slug}a`, true))).toEqual([]);
  expect(warnings(app(`${slug}a`, false), names)).toEqual([]);
  expect(warnings(app(`${slug}a`, true), names)).toEqual([
    `workspace_app.x has no address: "${slug}a--my-workspace--ada" is too long for a host name. Shorten its slug.`,
  ]);
});

it.each([
  ["workspace_agent.my_agent", 'agent name "my_agent" contains underscores'],
  ["workspace_agent.a--b", 'agent name "a--b" does not match regex'],
])("refuses the name of %s, even if nothing depends on it", (address, words) => {
  const found = reading([managed(address), managed("vm.a")], ["vm.b", address]);
  expect(found.refusals).toEqual([expect.stringContaining(`${address}: ${words}`)]);
});

it("refuses agents and apps with the same name, in modules too", () => {
  const found = reading(
    [
      managed("workspace_agent.main", { id: "1" }),
      managed("module.m.workspace_agent.Main", { id: "2" }),
      managed("workspace_app.x", { agent_id: "1", slug: "web" }),
      managed("module.m.workspace_app.y", { agent_id: "3", slug: "web" }),
    ],
    ["vm.a", "workspace_agent.main"],
    ["vm.a", "module.m.workspace_agent.Main"],
  );
  expect(found.refusals).toEqual([
    "module.m.workspace_agent.Main: duplicate agent name: Main",
    'module.m.workspace_app.y: duplicate app slug, they must be unique per template: "web"',
  ]);
});

it("refuses an agent in an instance of a module, and drops a machine there", () => {
  const agent = managed("workspace_agent.main");
  const machine = managed("module.vm[0].vm.a");
  expect(
    reading([managed("module.dev[0].workspace_agent.main")], ["vm.a", "module.dev.vm.b"]).refusals,
  ).toEqual([`module.dev[0].workspace_agent.main: couldn't find node on graph: "module.dev"`]);
  const { view } = reading([agent, machine], ["module.vm.vm.a", "workspace_agent.main"]);
  expect(view).toMatchObject({ agents: [], droppedAgents: ["workspace_agent.main"] });
});

it("refuses parameters and presets with the same name, and two default presets", () => {
  const preset = { name: "S", default: true, parameters: {} };
  const found = reading([
    data("data.workspace_parameter.a", { name: "size" }),
    data("data.workspace_parameter.b", { name: "size" }),
    data("data.workspace_workspace_preset.a", preset),
    data("data.workspace_workspace_preset.b", preset),
  ]);
  expect(found.refusals).toEqual([
    'workspace_parameter names must be unique but "size" appears multiple times',
    'workspace_workspace_preset names must be unique but "S" appears multiple times',
    'a maximum of 1 workspace_workspace_preset can be marked as default, but 2 are set: "S", "S"',
  ]);
});

it("refuses two metadata for one resource, and two instances of one", () => {
  const twice = (one: string, other: string) =>
    reading(
      [managed("vm.a"), managed(one), managed(other)],
      ["workspace_metadata.x", "vm.a"],
      ["workspace_metadata.y", "vm.a"],
    ).refusals;
  expect(twice("workspace_metadata.x", "workspace_metadata.y")).toEqual([
    "workspace_metadata.y: duplicate metadata resource: vm.a",
  ]);
  expect(twice("workspace_metadata.x[0]", "workspace_metadata.x[1]")).toEqual([
    "workspace_metadata.x[1]: duplicate metadata resource: vm.a",
  ]);
});

it("refuses what coder's database refuses, in coder's types", () => {
  const long = "a".repeat(65);
  const resources = (type: string) => [
    managed(`${type}_agent.main`, { dir: `/${"a".repeat(4096)}`, order: 3_000_000_000 }),
    managed(`vm.${long}`),
    managed(`${type}_app.x`, { slug: long, display_name: null }),
    managed(`${type}_metadata.m`, { item: [{ key: "k", value: "a\0" }] }),
  ];
  const seen = (type: string) =>
    platformReading(resources(type), graphOf([`vm.${long}`, `${type}_agent.main`]), `${type}_`)
      .refusals;
  expect(seen("workspace")).toEqual([]);
  expect(seen("coder")).toEqual(
    [
      "coder_agent.main: dir must be at most 4096 characters long for coder's database (got 4097",
      "coder_agent.main: order must be an integer of at most 32 bits for coder",
      `vm.${long}: the name must be at most 64 characters long (got 65`,
      "coder_app.x: slug must be at most 64 characters long",
      "coder_metadata.m: item[0].value must not contain the character NUL",
    ].map((start) => expect.stringContaining(start) as string),
  );
});

describe("inputs", () => {
  const { view } = platformReading(
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
    const { view: parameter } = platformReading(
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

  it("must be what the plan has", () => {
    const given = { ...none, parameters: { size: "3", disk: "20" } };
    expect(inputFindings(view, given)).toEqual({
      refusals: [
        `The plan does not have the value that you entered for the parameter "size": the template does not use the platform's provider, see --product.`,
      ],
      warnings: [],
    });
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
    expect.stringContaining(
      "replaces vm.a because of labels.owner, disk[0].size, so users still wait",
    ),
    expect.stringContaining("replaces vm.c, so users still wait for it"),
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
