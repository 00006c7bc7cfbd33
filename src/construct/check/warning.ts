import { Annotations } from "cdktf";
import type { Construct } from "constructs";
import { formatPath, type Finding } from "../../schema";
import { withoutStackTraces } from "../cdktf-internals/stack-traces";

/**
 * Adds a warning to a construct, once. cdktf prints it when the app is synthesized.
 *
 * The message ends with an ID that stays the same when the wording changes:
 * `[ids.Endpoint:ADVICE:network]`.
 */
export function warn(construct: Construct, type: string, finding: Finding): void {
  const at = formatPath(finding.path);
  const id = [type, finding.code, at].filter((part) => part !== "").join(":");
  const message = `${at === "" ? "" : `${at}: `}${finding.message} [${id}]`;
  if (construct.node.metadata.some(({ data }) => data === message)) return;
  withoutStackTraces(() => {
    Annotations.of(construct).addWarning(message);
  });
}
