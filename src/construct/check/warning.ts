import { Annotations } from "cdktf";
import type { Construct } from "constructs";
import { formatPath, type Finding } from "../../schema";
import { withoutStackTraces } from "../cdktf-internals/stack-traces";

/**
 * Shows a warning at a construct, once: cdktf prints it when the app is synthesized.
 *
 * The text ends with an id that stays the same while sentences change: `[ids.Endpoint:ADVICE:network]`.
 */
export function warn(construct: Construct, type: string, finding: Finding): void {
  const at = formatPath(finding.path);
  const id = [type, finding.code, at].filter((part) => part !== "").join(":");
  const text = `${at === "" ? "" : `${at}: `}${finding.message} [${id}]`;
  if (construct.node.metadata.some(({ data }) => data === text)) return;
  withoutStackTraces(() => {
    Annotations.of(construct).addWarning(text);
  });
}
