import {
  templates,
  withExpressions,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { display } from "../../schema";
import { coderSeverity } from "./coder-severity";
import { olderPlatform } from "./platform-version";
import { previewVersion } from "./previewed-values";
import { siblingType } from "./terraform-type";

/**
 * Checks tags for an older platform, which reads tags without evaluating them and knows only variables and
 * the defaults of parameters. It refuses anything else.
 */
export function* classicTags(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const version = olderPlatform(context, previewVersion);
  if (version === undefined) return;
  for (const member of members) {
    const { construct, values } = member;
    const outside = () => "outside";
    const tags = withExpressions(construct, values["tags"], outside);
    for (const [path, expression] of unreadable(tags, siblingType(member, "workspace_parameter"))) {
      yield {
        construct,
        finding: {
          ...coderSeverity(construct),
          path: ["tags", ...path],
          message: `must contain only literals, variables and values of parameters for version ${version} of the platform: it needs version ${previewVersion} to know anything else during a template import (got ${display(expression)})`,
        },
      };
    }
  }
}

function* unreadable(
  tags: unknown,
  parameterType: string,
): Generator<readonly [path: readonly string[], expression: string]> {
  if (typeof tags === "string") yield [[], tags];
  if (typeof tags !== "object" || tags === null) return;
  const known = new RegExp(
    String.raw`^\s*(?:var\.[A-Za-z_][\w-]*|data\.${parameterType}\.[A-Za-z_][\w-]*\.value)\s*$`,
  );
  for (const [name, value] of Object.entries(tags)) {
    for (const text of [name, value]) {
      if (typeof text !== "string") continue;
      const other = [...templates(text)].find(({ inside }) => !known.test(inside ?? ""));
      if (other !== undefined) yield [[name], other.text];
    }
  }
}
