import {
  product as trivet,
  productOf,
  templates,
  withExpressions,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { display } from "../../schema/display";
import { typeBeside } from "../template/terraform-type";

/**
 * A template's tags are read while it is imported, when only variables and defaults of parameters are
 * known. Platforms that exist refuse anything else; for our own, which stands in for them, it is advice.
 */
export function* tagValues(members: readonly StackMember[]): Generator<StackFinding> {
  for (const member of members) {
    const { construct, values } = member;
    const isOurs = productOf(construct, "workspace") === trivet;
    const outside = () => "outside";
    const tags = withExpressions(construct, values["tags"], outside);
    for (const [path, expression] of unreadable(tags, typeBeside(member, "workspace_parameter"))) {
      yield {
        construct,
        finding: {
          code: isOurs ? "ADVICE" : "INVALID_ARGUMENT",
          severity: isOurs ? "warning" : "error",
          path: ["tags", ...path],
          message: `must consist of texts, variables and values of parameters: nothing else is known while the template is imported (got ${display(expression)})`,
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
