import { TerraformIterator } from "cdktf";
import { Construct } from "constructs";
import { workspace } from "../../../../src";
import { found, newAgent, newStack, refusal, resources, warnings } from "../synthesized";
import { Machine } from "../template/template";

const agentId = "${workspace_agent.main.id}";

test("an app of an agent has its ID as the slug", () => {
  const stack = newStack();
  const agent = newAgent(stack);
  const app = agent.addApp("editor", { url: "http://localhost:8080", share: "public" });
  agent.addApp("shell", { slug: "terminal", command: "bash" });
  expect(app.node.path).toBe("Demo/main/editor");
  expect(Object.values(resources(stack, "workspace_app"))).toEqual([
    { agent_id: agentId, slug: "editor", url: "http://localhost:8080", share: "public" },
    { agent_id: agentId, slug: "terminal", command: "bash" },
  ]);
});

test("a variable of an agent has its name as the ID", () => {
  const stack = newStack();
  const agent = newAgent(stack);
  const editor = agent.addEnv("EDITOR", "vim");
  agent.addEnv("PATH", "/opt/bin", { mergeStrategy: "prepend", dependsOn: [editor] });
  expect(editor.node.path).toBe("Demo/main/EDITOR");
  expect(Object.values(resources(stack, "workspace_env"))).toEqual([
    { agent_id: agentId, name: "EDITOR", value: "vim" },
    {
      agent_id: agentId,
      name: "PATH",
      value: "/opt/bin",
      merge_strategy: "prepend",
      depends_on: [expect.stringMatching(/^workspace_env\.main_EDITOR_/)],
    },
  ]);
});

test("a script of an agent has its ID as the display name", () => {
  const stack = newStack();
  const agent = newAgent(stack);
  agent.addScript("install", { script: "make", runOnStart: true });
  agent.addScript("tidy", { displayName: "Tidy up", script: "rm", runOnStop: true });
  expect(Object.values(resources(stack, "workspace_script"))).toEqual([
    { agent_id: agentId, display_name: "install", script: "make", run_on_start: true },
    { agent_id: agentId, display_name: "Tidy up", script: "rm", run_on_stop: true },
  ]);
});

test("a dev container of an agent is its child", () => {
  const stack = newStack();
  const container = newAgent(stack).addDevcontainer("api", { workspaceFolder: "/src/api" });
  expect(container.node.path).toBe("Demo/main/api");
  expect(Object.values(resources(stack, "workspace_devcontainer"))).toEqual([
    { agent_id: agentId, workspace_folder: "/src/api" },
  ]);
});

test("parts of an agent deep in the tree refer to it by its ID", () => {
  const stack = newStack();
  newAgent(new Construct(stack, "Group")).addApp("top", { command: "top" });
  expect(Object.values(resources(stack, "workspace_app"))).toEqual([
    { agent_id: agentId, slug: "top", command: "top" },
  ]);
});

test("a refusal names the part", () => {
  const agent = newAgent(newStack());
  const app = refusal(() => agent.addApp("my_app", { command: "top" }));
  const env = refusal(() => agent.addEnv("1ST", "x"));
  const script = refusal(() => agent.addScript("idle", { script: "true" }));
  expect([app, env, script].map((error) => [error.constructPath, ...found(error)])).toEqual([
    ["Demo/main/my_app", "INVALID_ARGUMENT slug"],
    ["Demo/main/1ST", "INVALID_ARGUMENT name"],
    ["Demo/main/idle", "MISSING runOnStart"],
  ]);
});

test("the compiler omits what the agent sets", () => {
  const agent = newAgent(newStack());
  // @ts-expect-error the agent sets its own ID
  agent.addApp("top", { agentId: "other", command: "top" });
  // @ts-expect-error the folder is required
  expect(() => agent.addDevcontainer("api", {})).toThrow(workspace.ValidationError);
});

test("an agent with a count and its parts exist in the same builds", () => {
  const stack = newStack();
  const { startCount } = new workspace.DataWorkspace(stack, "build");
  const agent = new workspace.Agent(stack, "main", {
    os: "linux",
    arch: "amd64",
    count: startCount,
  });
  agent.addEnv("EDITOR", "vim");
  agent.addScript("setup", { script: "make", runOnStart: true, count: 1 });
  const forEach = TerraformIterator.fromMap({ a: "x" });
  agent.addApp("docs", { url: "http://localhost:1", slug: forEach.key, forEach });
  new Machine(stack, "vm", { command: agent.initScript, token: agent.token }).count = startCount;
  const count = "${data.workspace_workspace.build.start_count}";
  const counted = "${workspace_agent.main[0].id}";
  const [env] = Object.values(resources(stack, "workspace_env"));
  const [script] = Object.values(resources(stack, "workspace_script"));
  const [app] = Object.values(resources(stack, "workspace_app"));
  const [machine] = Object.values(resources(stack, "vm_machine"));
  expect(env).toEqual({ agent_id: counted, name: "EDITOR", value: "vim", count });
  expect(script).toMatchObject({ agent_id: counted, count: 1 });
  expect(app).toMatchObject({ agent_id: counted, for_each: { a: "x" } });
  expect(app).not.toHaveProperty("count");
  expect(machine).toMatchObject({
    command: "${workspace_agent.main[0].init_script}",
    token: "${workspace_agent.main[0].token}",
  });
  expect(warnings(agent)).toEqual([]);
});
