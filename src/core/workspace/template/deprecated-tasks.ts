import type { StackContext, StackFinding, StackMember } from "../../construct";
import { warning } from "../../schema";
import { isOurs, olderPlatform } from "./platform-facts";
import { platformRules } from "../product/platform-versions";
import { isOf } from "./terraform-type";

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
