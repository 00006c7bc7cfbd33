import type { WorkspaceRecord } from "../../../../src/workspace/local/state/state-folder";
import type { SecretReference } from "../../../../src/workspace/local/page/page-data";
import { revealed, workspaceView } from "../../../../src/workspace/local/page/workspace-view";

type Attributes = Readonly<Record<string, unknown>>;
type Step = string | number;

const record: WorkspaceRecord = {
  name: "dev",
  made: "m",
  owner: "ada",
  isPrebuild: false,
  parameters: { size: "s" },
  masked: [],
  task: undefined,
};

/** A resource as Terraform writes it into its state file. */
function resource(
  address: string,
  attributes: Attributes,
  {
    dependencies = [],
    sensitive = [],
    key,
  }: {
    readonly dependencies?: readonly string[];
    readonly sensitive?: readonly (readonly Step[])[];
    readonly key?: Step;
  } = {},
) {
  const [type, name] = address.replace(/^data\./, "").split(".");
  return {
    mode: address.startsWith("data.") ? "data" : "managed",
    type,
    name,
    instances: [
      {
        ...(key === undefined ? {} : { index_key: key }),
        attributes,
        dependencies,
        sensitive_attributes: sensitive.map((path) =>
          path.map((step, at) =>
            at === 0
              ? { type: "get_attr", value: step }
              : { type: "index", value: { value: step, type: typeof step } },
          ),
        ),
      },
    ],
  };
}

const view = (...resources: readonly object[]) =>
  workspaceView(record, JSON.stringify({ resources }), "workspace_");

const agent = (attributes: Attributes = {}) =>
  resource("workspace_agent.main", { id: "a1", token: "the-token", os: "linux", ...attributes });
const machine = resource("vm.machine", { id: "vm1" }, { dependencies: ["workspace_agent.main"] });
const part = (address: string, attributes: Attributes, sensitive: readonly Step[][] = []) =>
  resource(address, { agent_id: "a1", ...attributes }, { sensitive });

describe("a workspace on the page", () => {
  it("is not built without a state", () => {
    expect(workspaceView(record, undefined, "workspace_")).toMatchObject({
      name: "dev",
      owner: "ada",
      status: "not built",
      agents: [],
      dailyCost: 0,
      parameters: { size: "s" },
    });
    expect(workspaceView(record, "no JSON", "workspace_").status).toBe("not built");
  });

  it.each<[string, readonly object[], string]>([
    [
      "the transition, if the template reads it",
      [agent(), machine, resource("data.workspace_workspace.me", { transition: "stop" })],
      "stopped",
    ],
    ["a machine that an agent runs on", [agent(), machine], "running"],
    ["an agent without a machine", [agent()], "stopped"],
    ["a machine without agents", [machine], "running"],
  ])("has a status that follows from %s", (_, resources, status) => {
    expect(view(...resources).status).toBe(status);
  });

  it("has no agent that no resource depends on", () => {
    expect(view(agent())).toMatchObject({ agents: [], droppedAgents: ["workspace_agent.main"] });
    expect(view(agent(), machine)).toMatchObject({
      agents: [{ name: "main", runsOn: ["vm.machine"] }],
      droppedAgents: [],
    });
  });

  it("has apps by their position, then by their name, at the agent that they refer to", () => {
    const { agents } = view(
      agent(),
      machine,
      part("workspace_app.c", { slug: "c", order: 2 }),
      part("workspace_app.b", { slug: "b", display_name: "Z", order: 1 }),
      part("workspace_app.a", { slug: "a", display_name: "Y", order: 1 }),
      part("workspace_app.first", { slug: "first", order: null }),
      part("workspace_app.other", { slug: "other", agent_id: "a2" }),
    );
    expect(agents[0]?.apps.map(({ name }) => name)).toEqual(["first", "Y", "Z", "c"]);
  });

  it("adds up the cost of resources that exist, each with its own metadata", () => {
    const metadata = (id: string, cost: number) =>
      resource(
        "workspace_metadata.about",
        { resource_id: id, daily_cost: cost },
        { dependencies: ["vm.machine"], key: id },
      );
    const machines = ["vm1", "vm2"].map((id, key) => resource("vm.machine", { id }, { key }));
    const { resources, dailyCost } = view(
      ...machines,
      metadata("vm1", 3),
      metadata("vm2", 4),
      metadata("vm3", 100),
    );
    expect(resources).toMatchObject([
      { address: "vm.machine[0]", dailyCost: 3 },
      { address: "vm.machine[1]", dailyCost: 4 },
    ]);
    expect(dailyCost).toBe(7);
  });

  describe("with secrets", () => {
    const state = [
      agent({ env: { OPEN: "open-1", HIDDEN: "hidden-1" } }),
      machine,
      part("workspace_env.e", { name: "E", value: "hidden-2" }, [["value"]]),
      part("workspace_app.a", { slug: "a", url: "hidden-3" }, [["url"]]),
      part("workspace_script.s", { display_name: "S", run_on_start: true, script: "hidden-4" }, [
        ["script"],
      ]),
      resource(
        "workspace_metadata.m",
        {
          resource_id: "vm1",
          item: [
            { key: "A", value: "open-2" },
            { key: "B", value: "hidden-5", sensitive: true },
            { key: "C", value: "hidden-6" },
          ],
        },
        { dependencies: ["vm.machine"], sensitive: [["item", 2, "value"]] },
      ),
      resource("vm.other", { password: "hidden-7" }, { sensitive: [["password"]] }),
    ];
    state[0]?.instances[0]?.sensitive_attributes.push([
      { type: "get_attr", value: "env" },
      { type: "index", value: { value: "HIDDEN", type: "string" } },
    ]);

    it("contains none of them", () => {
      const text = JSON.stringify(view(...state));
      expect([...text.matchAll(/(?:open|hidden)-\d|the-token/g)].map(([found]) => found)).toEqual([
        "open-1",
        "open-2",
      ]);
    });

    it("contains no value of a masked parameter, wherever a template passes it", () => {
      const masked = {
        ...record,
        parameters: { size: "s", pin: "12", key: "key-1234" },
        masked: ["pin", "key"],
      };
      const resources = [
        agent({
          env: { PIN: "12", KEY: "has key-1234", OTHER: "121" },
          startup_script: "echo key-1234",
        }),
        machine,
        part("workspace_app.a", { slug: "a", url: "http://key-1234.example", command: "12" }),
        part("workspace_script.s", { display_name: "S", run_on_start: true, script: "key-1234" }),
      ];
      const text = JSON.stringify({ resources });
      const view = workspaceView(masked, text, "workspace_");
      expect(view).toMatchObject({ parameters: { size: "s" }, masked: ["pin", "key"] });
      expect(view.agents[0]).toMatchObject({
        apps: [{ url: "", command: "" }],
        environment: [
          { name: "PIN", value: { secret: {} } },
          { name: "KEY", value: { secret: {} } },
          { name: "OTHER", value: { text: "121" } },
        ],
        scripts: [{ content: { secret: {} } }, { content: { secret: {} } }],
      });
      expect(JSON.stringify(view)).not.toContain("key-1234");
      const reveal = (address: string, ...path: SecretReference["path"]) =>
        revealed(masked, text, { address, path }, "workspace_");
      expect(reveal("", "parameters", "key")).toBe("key-1234");
      expect(reveal("", "parameters", "size")).toBeUndefined();
      expect(reveal("workspace_agent.main", "env", "KEY")).toBe("has key-1234");
      expect(reveal("workspace_agent.main", "env", "OTHER")).toBeUndefined();
    });

    it("reveals those that it refers to, and nothing else", () => {
      const references: SecretReference[] = [];
      const json = JSON.stringify(view(...state), (key, value: unknown) => {
        if (key === "secret") references.push(value as SecretReference);
        return value;
      });
      expect(json).not.toBe("");
      const text = JSON.stringify({ resources: state });
      const reveal = (reference: SecretReference) =>
        revealed(record, text, reference, "workspace_");
      expect(references.map(reveal).sort()).toEqual(
        ["hidden-1", "hidden-2", "hidden-4", "hidden-5", "hidden-6", "the-token"].sort(),
      );
      expect(reveal({ address: "vm.other", path: ["password"] })).toBeUndefined();
      expect(reveal({ address: "workspace_agent.main", path: ["id"] })).toBeUndefined();
      expect(reveal({ address: "workspace_agent.gone", path: ["token"] })).toBeUndefined();
    });
  });
});
