import { TerraformVariable } from "cdktf";
import { workspace } from "../../../../src";
import { found, newAgent, newStack, read, refusal, resources } from "../synthesized";

test("the synthesized JSON, with tokens", () => {
  const stack = newStack();
  const folder = new TerraformVariable(stack, "folder", { type: "string" });
  const { agentId } = newAgent(stack);
  const configPath = "/src/.devcontainer/devcontainer.json";
  new workspace.Devcontainer(stack, "api", { agentId, workspaceFolder: "/src", configPath });
  new workspace.Devcontainer(stack, "ui", { agentId, workspaceFolder: folder.stringValue });
  expect(resources(stack, "workspace_devcontainer")).toEqual({
    api: {
      agent_id: "${workspace_agent.main.id}",
      workspace_folder: "/src",
      config_path: configPath,
    },
    ui: { agent_id: "${workspace_agent.main.id}", workspace_folder: "${var.folder}" },
  });
});

test("a folder is required and must not be blank", () => {
  const build = (props: Partial<workspace.DevcontainerProps>) => () =>
    new workspace.Devcontainer(newStack(), "api", {
      agentId: "a",
      ...props,
    } as workspace.DevcontainerProps);
  expect(refusal(build({ workspaceFolder: " " })).message).toBe(
    'workspace.Devcontainer at Demo/api: 1 problem\n  workspaceFolder: must not be empty or blank (got " ") [INVALID_ARGUMENT]',
  );
  expect(found(refusal(build({})))).toEqual(["MISSING workspaceFolder"]);
});

test("every property can be read", () => {
  const given = { agentId: "a", workspaceFolder: "/src" };
  const container = new workspace.Devcontainer(newStack(), "api", given);
  const { agentId, ...others } = read(
    container,
    ...(["agentId", "workspaceFolder", "configPath", "devcontainerId", "subagentId"] as const),
  );
  expect(agentId).toBe("${workspace_devcontainer.api.agent_id}");
  expect(others).toEqual({
    workspaceFolder: "${workspace_devcontainer.api.workspace_folder}",
    configPath: "${workspace_devcontainer.api.config_path}",
    devcontainerId: "${workspace_devcontainer.api.id}",
    subagentId: "${workspace_devcontainer.api.subagent_id}",
  });
});

test("the type token names the resource across products", () => {
  expect(workspace.Devcontainer.typeToken).toBe("trivet:workspace/v1:Devcontainer");
});
