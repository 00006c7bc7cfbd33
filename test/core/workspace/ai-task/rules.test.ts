import type { TerraformStack } from "cdktf";
import { workspace } from "../../../../src";
import { deprecatedTask, promptOfTask } from "../../../../src/core/workspace/ai-task/rules";
import { findingsOf, newAgent, newTemplate } from "../template/template";

function withTask(version: string | undefined): TerraformStack {
  const stack = newTemplate({ platform: { version } });
  const { appId } = newAgent(stack).addApp("code", { command: "top" });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what older platforms need
  new workspace.AiTask(stack, "task", { sidebarApp: { id: appId } });
  return stack;
}

test("before version 2.28, an AI task needs a parameter for the prompt", () => {
  expect(findingsOf(promptOfTask, withTask("2.26.0"))).toEqual([
    'error REQUIRES Demo/task: : needs a parameter with the name "AI Prompt" in version 2.26.0 of the platform, which takes the prompt of a task from it: add one, or require version 2.28',
  ]);
});

test.each(["AI Prompt", "${var.name}"])("the name of the parameter may be %j", (name) => {
  const stack = withTask("2.26.0");
  new workspace.DataParameter(stack, "prompt", { name });
  expect(findingsOf(promptOfTask, stack)).toEqual([]);
});

test.each(["2.28.0", undefined])("version %s takes the prompt from the task", (version) => {
  expect(findingsOf(promptOfTask, withTask(version))).toEqual([]);
});

function withTasks(props: workspace.WorkspaceProviderProps): TerraformStack {
  const stack = newTemplate(props);
  const { appId } = newAgent(stack).addApp("code", { command: "top" });
  new workspace.AiTask(stack, "task", { appId });
  new workspace.DataTask(stack, "current");
  return stack;
}

const { coder } = workspace.products;

test.each([undefined, "2.34.0", "2.39.1"])("version %s of coder deprecates tasks", (version) => {
  const words =
    "is deprecated as of version 2.34 of coder, which will remove tasks: remove it, and use coder's agents " +
    "instead (https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration)";
  const stack = withTasks({ product: coder, platform: { version } });
  expect(findingsOf(deprecatedTask, stack)).toEqual([
    `warning DEPRECATED Demo/task: : ${words}`,
    `warning DEPRECATED Demo/current: : ${words}`,
  ]);
});

test.each([
  ["an older version", { product: coder, platform: { version: "2.33.2" } }],
  ["our own product", {}],
])("%s does not deprecate tasks", (_words, props) => {
  expect(findingsOf(deprecatedTask, withTasks(props))).toEqual([]);
});
