import { conditional } from "cdktf";
import { workspace } from "../../../../src";
import { newStack, read, resources, synthesized } from "../synthesized";

test("the task is read without properties", () => {
  const stack = newStack();
  const task = new workspace.DataTask(stack, "task");
  expect(synthesized(stack)).toHaveProperty("data", { workspace_task: { task: {} } });
  expect(read(task, "id", "enabled", "prompt")).toEqual({
    id: "${data.workspace_task.task.id}",
    enabled: "${data.workspace_task.task.enabled}",
    prompt: "${data.workspace_task.task.prompt}",
  });
  expect(workspace.DataTask.typeToken).toBe("trivet:workspace/v1:DataTask");
});

test("resources for a task exist only in a task", () => {
  const stack = newStack();
  const task = new workspace.DataTask(stack, "task");
  const count = conditional(task.enabled, 1, 0) as unknown as number;
  new workspace.AiTask(stack, "ai", { appId: "8d1b2c3e-4f5a-4b6c-9d7e-8f9a0b1c2d3e", count });
  expect(resources(stack, "workspace_ai_task")).toMatchObject({
    ai: { count: "${data.workspace_task.task.enabled ? 1 : 0}" },
  });
});
