import { isToken, type StackContext, type StackFinding, type StackMember } from "../../construct";
import { warning } from "../../schema";
import { isOurs, olderPlatform } from "../template/platform-facts";
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

const deprecated = warning(
  "task-deprecated",
  "the platform has deprecated AI tasks, and will remove them",
);

/** Where coder says how to move from tasks to what replaces them. */
const migration = "https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration";

/** Advises against tasks on a platform that has deprecated them. */
export function* deprecatedTask(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (olderPlatform(context, "deprecatedTasks") !== undefined) return;
  for (const member of members) {
    const { construct } = member;
    const isTask = isOf(member, "workspace_ai_task") || isOf(member, "workspace_task");
    if (!isTask || isOurs(construct)) continue;
    yield {
      construct,
      finding: {
        ...deprecated.at(
          [],
          `is deprecated as of version ${platformRules.deprecatedTasks.since} of coder, which will remove tasks: remove it, and use coder's agents instead (${migration})`,
        ),
        code: "DEPRECATED",
      },
    };
  }
}
