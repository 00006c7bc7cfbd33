import { platformView } from "../../../../src/workspace/local/view/platform-view";
import { data, graphOf, managed } from "../resources";

const prefix = "workspace_";
const agent = managed("workspace_agent.main", {
  id: "a1",
  os: "linux",
  arch: "amd64",
  auth: "token",
  token: "hunter2",
});

it("sees an agent in the nearest resource of another provider that depends on it", () => {
  const graph = graphOf(
    ["workspace_script.x", "workspace_agent.main"],
    ["vm.near", "workspace_agent.main"],
    ["vm.far", "vm.near"],
  );
  const resources = [
    agent,
    managed("vm.far"),
    managed("vm.near[0]"),
    managed("workspace_script.x"),
  ];
  const view = platformView(resources, graph, prefix);
  expect(view.agents).toMatchObject([
    { name: "main", id: "a1", os: "linux", arch: "amd64", auth: "token", resource: "vm.near" },
  ]);
  expect(view.droppedAgents).toEqual([]);
  expect(JSON.stringify(view)).not.toContain("hunter2");
});

it("drops an agent that only the platform's own resources depend on", () => {
  const graph = graphOf(["workspace_app.web", "workspace_agent.main"]);
  const view = platformView([agent, managed("workspace_app.web")], graph, prefix);
  expect(view.agents).toEqual([]);
  expect(view.droppedAgents).toEqual(["workspace_agent.main"]);
});

it("drops an agent whose resource does not exist in this build", () => {
  const view = platformView([agent], graphOf(["vm.a", "workspace_agent.main"]), prefix);
  expect(view.droppedAgents).toEqual(["workspace_agent.main"]);
});

it("sees an external agent in the resource that marks it as external", () => {
  const graph = graphOf(["workspace_external_agent.x", "workspace_agent.main"]);
  const view = platformView([agent, managed("workspace_external_agent.x")], graph, prefix);
  expect(view.agents).toMatchObject([{ resource: "workspace_external_agent.x" }]);
});

describe("what belongs to an agent", () => {
  const vm = managed("vm.a");
  const other = managed("workspace_agent.other", { id: "a2" });
  const edges = [
    ["vm.a", "workspace_agent.main"],
    ["vm.a", "workspace_agent.other"],
  ] as const;

  it("is found by the agent's ID once it is known", () => {
    const resources = [
      agent,
      other,
      vm,
      managed("workspace_app.web", { agent_id: "a2", slug: "web", url: "http://localhost" }),
      managed("workspace_app.top", { agent_id: "a1", slug: "top", command: "top" }),
      managed("workspace_env.e", { agent_id: "a1", name: "E", value: "1" }),
      {
        ...managed("workspace_env.s", { agent_id: "a1", name: "S", value: "hunter2" }),
        sensitive: { value: true },
      },
      managed("workspace_script.s", { agent_id: "a1", display_name: "Set up" }),
      managed("workspace_devcontainer.d", { agent_id: "a1", workspace_folder: "/work" }),
    ];
    const [main, second] = platformView(resources, graphOf(...edges), prefix).agents;
    expect(main).toMatchObject({
      apps: [{ name: "top", detail: "top" }],
      envs: [
        { name: "E", detail: "1" },
        { name: "S", detail: undefined },
      ],
      scripts: [{ name: "Set up" }],
      devcontainers: [{ name: "/work" }],
    });
    expect(second?.apps).toMatchObject([{ name: "web", detail: "http://localhost" }]);
  });

  it("is found by a direct edge during the plan, and otherwise lost", () => {
    const resources = [
      managed("workspace_agent.main"),
      managed("workspace_agent.other"),
      vm,
      managed("workspace_app.web", { slug: "web" }),
      managed("workspace_app.lost", { slug: "lost" }),
    ];
    const graph = graphOf(
      ...edges,
      ["workspace_app.web", "workspace_agent.other"],
      ["workspace_app.lost", "vm.a"],
    );
    const view = platformView(resources, graph, prefix);
    expect(view.agents.map(({ apps }) => apps.map(({ name }) => name))).toEqual([[], ["web"]]);
    expect(view.unattached).toEqual(["workspace_app.lost"]);
  });
});

it("sees parameters, presets and external providers", () => {
  const view = platformView(
    [
      data("data.workspace_parameter.size", {
        name: "size",
        type: "number",
        value: "2",
        mutable: true,
        optional: true,
      }),
      data("data.workspace_workspace_preset.small", {
        name: "Small",
        default: true,
        parameters: { size: "1" },
        prebuilds: [{ instances: 2 }],
      }),
      data("data.workspace_external_auth.git", { id: "git", optional: null }),
    ],
    graphOf(),
    prefix,
  );
  expect(view.parameters).toMatchObject([
    { name: "size", type: "number", value: "2", optional: true, mutable: true, ephemeral: false },
  ]);
  expect(view.presets).toEqual([
    { name: "Small", isDefault: true, parameters: { size: "1" }, prebuilds: 2 },
  ]);
  expect(view.externalAuth).toEqual([{ id: "git", optional: false }]);
});
