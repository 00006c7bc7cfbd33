import type { TerraformStack } from "cdktf";
import { workspace } from "../../../src";
import { promptOfTask } from "../../../src/workspace/ai-task/rules";
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
