import { workspace } from "../../../../src";
import { found, newAgent, newStack, read, refusal, resources, warnings } from "../synthesized";

const id = "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6f";
const sidebar = { sidebarApp: { id } };

test("the synthesized JSON, with a reference to the app", () => {
  const stack = newStack();
  const chat = newAgent(stack).addApp("chat", { url: "http://localhost:3000" });
  chat.overrideLogicalId("chat");
  const task = new workspace.AiTask(stack, "task", { appId: chat.appId });
  expect(resources(stack, "workspace_ai_task")).toEqual({
    task: { app_id: "${workspace_app.chat.id}" },
  });
  expect(warnings(task)).toEqual([]);
});

test("the deprecated app of the sidebar is accepted, with a warning", () => {
  const stack = newStack();
  const task = new workspace.AiTask(stack, "task", sidebar);
  expect(resources(stack, "workspace_ai_task")).toEqual({ task: { sidebar_app: { id } } });
  expect(warnings(task)).toEqual([
    expect.stringMatching(/use `appId` instead.*\[deprecated-sidebar-app\]/s),
  ]);
});

test.each<[string, workspace.AiTaskProps, string]>([
  ["no app", {}, "CONFLICT appId"],
  ["two apps", { appId: id, ...sidebar }, "CONFLICT sidebarApp"],
  ["an ID that is no UUID", { appId: "chat" }, "INVALID_ARGUMENT appId"],
  ["an app without an ID", { sidebarApp: {} } as never, "MISSING sidebarApp.id"],
])("refuses %s", (_name, props, expected) => {
  const error = refusal(() => new workspace.AiTask(newStack(), "task", props));
  expect([error.constructPath, ...found(error)]).toEqual(["Demo/task", expected]);
});

test("reports how to set the app", () => {
  const error = refusal(() => new workspace.AiTask(newStack(), "task", {}));
  expect(error.message).toBe(
    "workspace.AiTask at Demo/task: 1 problem\n" +
      "  appId: needs exactly one of `appId`, `sidebarApp` [CONFLICT]",
  );
});

test("every property can be read", () => {
  const task = new workspace.AiTask(newStack(), "task", { appId: id });
  expect(read(task, "aiTaskId", "appId", "enabled", "prompt", "sidebarApp")).toEqual({
    aiTaskId: "${workspace_ai_task.task.id}",
    appId: "${workspace_ai_task.task.app_id}",
    enabled: "${workspace_ai_task.task.enabled}",
    prompt: "${workspace_ai_task.task.prompt}",
    sidebarApp: { id: "${one(flatten(workspace_ai_task.task.sidebar_app[*].id))}" },
  });
});

test("the type token names the resource across products", () => {
  expect(workspace.AiTask.typeToken).toBe("trivet:workspace/v1:AiTask");
});
