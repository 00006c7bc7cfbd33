import type { StackContext, StackFinding, StackMember } from "../../construct";
import { agentOfPart } from "./agent-of-part";

/** The parts of an agent stand in its stack: each stack is a template of its own. */
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
        message: `must be that of an agent in this stack, and ${found.address} stands in ${found.stack.node.path}: each stack is a template of its own`,
      },
    };
  }
}
