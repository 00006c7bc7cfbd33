import type { StackContext, StackFinding, StackMember } from "../../construct";
import { agentOfPart } from "./agent-of-part";

/**
 * Requires that the parts of an agent are in the agent's stack, because each stack is a separate template.
 */
export function* agentInStack(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  for (const part of members) {
    const found = agentOfPart(part, context);
    if (found === undefined || found.stack === context.stack) continue;
    yield {
      construct: part.construct,
      finding: {
        code: "INVALID_ARGUMENT",
        severity: "error",
        path: ["agentId"],
        message: `must be that of an agent in this stack, but ${found.address} is in ${found.stack.node.path}: each stack is a separate template`,
      },
    };
  }
}
