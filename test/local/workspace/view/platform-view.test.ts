import { platformReading } from "../../../../src/local/workspace/view/platform-view";
import { data, graphOf, managed } from "../resources";

const prefix = "workspace_";
const platformView = (...args: Parameters<typeof platformReading>) => platformReading(...args).view;
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
      apps: [{ name: "top", command: "top" }],
      environment: [
        { name: "E", value: { text: "1" } },
        { name: "S", value: { secret: { address: "workspace_env.s", path: ["value"] } } },
      ],
      scripts: [{ name: "Set up" }],
      devcontainers: [{ folder: "/work" }],
    });
    expect(second?.apps).toMatchObject([{ slug: "web", url: "http://localhost" }]);
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

it("shows the parts of the agent inside a dev container under the container", () => {
  const resources = [
    agent,
    managed("vm.a"),
    managed("workspace_devcontainer.d", {
      agent_id: "a1",
      subagent_id: "d1",
      workspace_folder: "/work",
    }),
    managed("workspace_app.inner", { agent_id: "d1", slug: "inner" }),
  ];
  const found = platformReading(resources, graphOf(["vm.a", "workspace_agent.main"]), prefix);
  expect(found).toMatchObject({
    view: {
      agents: [{ apps: [], devcontainers: [{ folder: "/work", apps: [{ slug: "inner" }] }] }],
      unattached: [],
    },
    warnings: [],
  });
  const older = platformReading(
    resources,
    graphOf(["vm.a", "workspace_agent.main"]),
    prefix,
    "2.30",
  );
  expect(older).toMatchObject({
    view: { unattached: ["workspace_app.inner"] },
    warnings: [expect.stringContaining("finds no agent for workspace_app.inner")],
  });
});

it("has apps by their position, then by their name", () => {
  const app = (slug: string, values: object) =>
    managed(`workspace_app.${slug}`, { agent_id: "a1", slug, ...values });
  const resources = [
    agent,
    managed("vm.a"),
    app("c", { order: 2 }),
    app("b", { display_name: "Z", order: 1 }),
    app("a", { display_name: "Y", order: 1 }),
    app("first", { order: null }),
  ];
  const { agents } = platformView(resources, graphOf(["vm.a", "workspace_agent.main"]), prefix);
  expect(agents[0]?.apps.map(({ name }) => name)).toEqual(["first", "Y", "Z", "c"]);
});

it("shows metadata at the nearest resource that it depends on, not at that of its ID", () => {
  const resources = [
    managed("vm.about[0]", { id: "vm1" }),
    managed("vm.about[1]", { id: "vm2" }),
    managed("vm.other", { id: "vm3" }),
    managed("workspace_metadata.m", {
      resource_id: "vm3",
      daily_cost: 3,
      item: [{ key: "k", value: "v" }],
    }),
  ];
  const graph = graphOf(["workspace_metadata.m", "vm.about"], ["workspace_metadata.m", "vm.other"]);
  const view = platformView(resources, graph, prefix);
  expect(view).toMatchObject({
    resources: [
      { address: "vm.about[0]", items: [{ name: "k", value: { text: "v" } }] },
      { address: "vm.about[1]", items: [{ name: "k" }] },
      { address: "vm.other", items: [] },
    ],
    dailyCost: 3,
  });
});

describe("secrets", () => {
  const seen = () =>
    platformReading(
      [
        managed("workspace_agent.main", {
          id: "a1",
          token: "hidden-0",
          env: { OPEN: "open-1", HIDDEN: "hidden-1", PIN: "12", OTHER: "121" },
          startup_script: "echo key-1234",
        }),
        managed("vm.a"),
        sensitive("workspace_env.e", { name: "E", value: "hidden-2" }, { value: true }),
        sensitive("workspace_app.a", { slug: "a", url: "hidden-3" }, { url: true }),
        managed("workspace_app.b", { agent_id: "a1", slug: "b", url: "http://key-1234.example" }),
        managed("workspace_metadata.m", {
          item: [
            { key: "A", value: "open-2" },
            { key: "B", value: "hidden-5", sensitive: true },
          ],
        }),
        data("data.workspace_parameter.k", {
          name: "key",
          value: "key-1234",
          styling: '{"mask_input":true}',
        }),
        data("data.workspace_parameter.p", {
          name: "pin",
          value: "12",
          styling: '{"mask_input":true}',
        }),
      ].map((one) =>
        one.type === "workspace_agent" ? { ...one, sensitive: { env: { HIDDEN: true } } } : one,
      ),
      graphOf(["vm.a", "workspace_agent.main"], ["workspace_metadata.m", "vm.a"]),
      prefix,
    );
  const sensitive = (
    address: string,
    values: object,
    where: Readonly<Record<string, unknown>>,
  ) => ({
    ...managed(address, { agent_id: "a1", ...values }),
    sensitive: where,
  });

  it("are kept apart from what is shown, and values of masked parameters wherever they are", () => {
    const { agents, resources } = seen().view;
    const text = JSON.stringify({ agents, resources });
    expect(text.match(/(?:open|hidden|key)-\d+/g)).toEqual(["open-1", "open-2"]);
    expect(agents[0]?.environment.map(({ value }) => "text" in value)).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it("can be found by what refers to them", () => {
    const values = seen().secrets.map(({ value }) => value);
    expect([...values].sort()).toEqual(
      ["hidden-0", "hidden-1", "12", "echo key-1234", "hidden-2", "hidden-5"].sort(),
    );
  });
});

describe("the order of scripts", () => {
  const script = (name: string, values: Readonly<Record<string, unknown>> = {}) =>
    managed(`workspace_script.${name}`, {
      agent_id: "a1",
      display_name: name,
      run_on_start: true,
      ...values,
    });
  const order = (...rule: readonly Readonly<Record<string, unknown>>[]) =>
    data("data.workspace_script_order.o", {
      rule: rule.map((each) => ({ requires: "success", phase: null, ...each })),
    });
  const graph = graphOf(
    ["vm.a", "workspace_agent.main"],
    ["vm.a", "workspace_agent.other"],
    ["workspace_script.none", "workspace_agent.main"],
    ["module.empty (close)", "workspace_agent.main"],
  );
  const other = managed("workspace_agent.other", { id: "a2" });
  const [one, two, three] = ["one", "two", "three"].map((name) => `workspace_script.${name}`);

  function seen(...parts: readonly ReturnType<typeof managed>[]) {
    const resources = [agent, other, managed("vm.a"), ...parts];
    const found = platformReading(resources, graph, prefix);
    return { view: found.view, found };
  }

  it("is that of all rules, and of the instances that a selector names", () => {
    const { view, found } = seen(
      script("two"),
      script("three[0]", { display_name: "three" }),
      script("one"),
      order({ run: [two], after: [one, three] }, { run: [three], after: [one] }),
    );
    expect(found).toMatchObject({ refusals: [], warnings: [] });
    expect(view.agents[0]?.scripts.map(({ name, after }) => [name, after])).toEqual([
      ["one", []],
      ["three", ["one"]],
      ["two", ["one", "three"]],
    ]);
  });

  it("selects the scripts of a module, in the phase of the others", () => {
    const { view, found } = seen(
      script("one"),
      managed("module.tools[0].workspace_script.x", {
        agent_id: "a1",
        display_name: "x",
        run_on_start: true,
      }),
      managed("module.tools[0].workspace_script.y", {
        agent_id: "a1",
        display_name: "y",
        run_on_stop: true,
      }),
      order({ run: [one], after: ["module.tools"] }),
    );
    expect(found.refusals).toEqual([]);
    expect(view.agents[0]?.scripts.map(({ name, after }) => [name, after])).toEqual([
      ["x", []],
      ["one", ["x"]],
      ["y", []],
    ]);
  });

  const where = "data.workspace_script_order.o rule 0:";
  it.each([
    [
      "a script of another agent",
      [script("one"), script("two", { agent_id: "a2" }), order({ run: [one], after: [two] })],
      `${where} scripts of one agent can be ordered, but workspace_script.one is of workspace_agent.main, and workspace_script.two of workspace_agent.other.`,
    ],
    [
      "a circle",
      [
        script("one"),
        script("two"),
        order({ run: [one], after: [two] }, { run: [two], after: [one] }),
      ],
      "data.workspace_script_order.o rule 1: a script must not wait for itself: workspace_script.two after workspace_script.one after workspace_script.two",
    ],
    [
      "a script that the template does not have",
      [script("one"), order({ run: [one], after: [two] })],
      `${where} the template has no script or module "workspace_script.two".`,
    ],
    [
      "an instance that a script does not have",
      [
        script("one"),
        script("two[0]"),
        script("two[1]"),
        order({ run: [one], after: [`${two}[2]`] }),
      ],
      `${where} the script has no instance "workspace_script.two[2]". It has workspace_script.two[0], workspace_script.two[1].`,
    ],
    [
      "an instance of a script that has none",
      [script("one"), order({ run: [one], after: ["workspace_script.none[0]"] })],
      `${where} the script has no instance "workspace_script.none[0]". It has none.`,
    ],
    [
      "one instance of a module",
      [script("one"), order({ run: [one], after: ["module.empty[0]"] })],
      `${where} the template has no script or module "module.empty[0]".`,
    ],
    [
      "a script that only has a schedule",
      [script("one"), script("two", { run_on_start: false }), order({ run: [one], after: [two] })],
      `${where} workspace_script.two must run either on start or on stop to be ordered.`,
    ],
    [
      "scripts of different phases",
      [
        script("one"),
        script("two", { run_on_start: false, run_on_stop: true }),
        order({ run: [one], after: [two] }),
      ],
      `${where} workspace_script.two runs on stop, but others on start.`,
    ],
  ])("refuses %s", (_words, parts, message) => {
    expect(seen(...parts).found.refusals).toEqual([message]);
  });

  it.each(["workspace_script.none", "module.empty"])(
    "has no effect on %s, without scripts",
    (after) => {
      const { found } = seen(script("one"), order({ run: [one], after: [after] }));
      expect(found.refusals).toEqual([]);
      expect(found.warnings).toEqual([
        `${where} "${after}" selects no script, so it has no effect.`,
      ]);
    },
  );
});
