import { readField } from "../../../local-service/read-field";
import { knownDefinition } from "../../parameter/known-definition";
import { valueProblem } from "../../parameter/value-problem";

/**
 * Returns the reasons for which values of parameters are refused, in the words of the violated rules. Null
 * for a value that is valid or missing, or whose rules are not known.
 *
 * @param checks objects with `parameter`, a parameter of a preview, `value`, and `previous`, the value in the
 * last build
 */
export function valueChecks(checks: unknown): readonly (string | null)[] {
  const list: readonly unknown[] = Array.isArray(checks) ? checks : [];
  return list.map((check) => problemOf(check) ?? null);
}

function problemOf(check: unknown): string | undefined {
  const value = readField(check, "value");
  if (typeof value !== "string") return undefined;
  const parameter = (name: string) => readField(check, "parameter", name);
  const { defaultRules: rules } = knownDefinition(
    {
      type: parameter("type"),
      formType: parameter("formType"),
      options: parameter("options"),
      validation: parameter("validations"),
    },
    () => false,
  );
  const previous = readField(check, "previous");
  return rules === undefined
    ? undefined
    : valueProblem(rules, value, typeof previous === "string" ? previous : undefined);
}
