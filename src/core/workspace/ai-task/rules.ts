import { isToken, type StackContext, type StackFinding, type StackMember } from "../../construct";
import { olderPlatform } from "../template/platform-facts";
import { platformRules } from "../product/platform-versions";
import { isOf } from "../template/terraform-type";

/** The parameter from which older platforms take the prompt of a task. */
const promptParameter = "AI Prompt";

/** An older platform refuses a template with AI tasks but without a parameter for the prompt. */
export function* promptOfTask(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const tasks = members.filter((member) => isOf(member, "workspace_ai_task"));
  if (tasks.length === 0) return;
  const version = olderPlatform(context, "taskPrompts");
  if (version === undefined) return;
  const names = members
    .filter((member) => isOf(member, "workspace_parameter"))
    .map(({ values }) => values["name"]);
  if (names.some((name) => name === promptParameter || isToken(name))) return;
  for (const { construct } of tasks) {
    yield {
      construct,
      finding: {
        code: "REQUIRES",
        severity: "error",
        path: [],
        message: `needs a parameter with the name "${promptParameter}" in version ${version} of the platform, which takes the prompt of a task from it: add one, or require version ${platformRules.taskPrompts.since}`,
      },
    };
  }
}
