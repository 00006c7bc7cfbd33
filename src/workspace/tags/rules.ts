import {
  product as trivet,
  productOf,
  templates,
  withExpressions,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { display } from "../../schema/display";
import { siblingType } from "../template/terraform-type";

/**
 * A template's tags are read during the import, when only variables and parameter defaults are known.
 * Existing platforms refuse anything else, which is an error. For our own product it is a warning.
 */
export function* tagValues(members: readonly StackMember[]): Generator<StackFinding> {
  for (const member of members) {
    const { construct, values } = member;
    const isOurs = productOf(construct, "workspace") === trivet;
    const outside = () => "outside";
    const tags = withExpressions(construct, values["tags"], outside);
    for (const [path, expression] of unreadable(tags, siblingType(member, "workspace_parameter"))) {
      yield {
        construct,
        finding: {
          code: isOurs ? "ADVICE" : "INVALID_ARGUMENT",
          severity: isOurs ? "warning" : "error",
          path: ["tags", ...path],
          message: `must contain only literals, variables and values of parameters: nothing else is known during a template import (got ${display(expression)})`,
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
