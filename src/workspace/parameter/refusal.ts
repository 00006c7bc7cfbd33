import { isToken, literalText, literalValues } from "../../construct";
import { UNKNOWN } from "../../schema";
import { knownDefinition } from "./definition/known-definition";
import { valueProblem } from "./definition/parameter-value";
import type { AnyParameterProps } from "./config";
import { isOfType, parameterText, type AnyParameterValue } from "./value";

/** Says of each value what the literal part of a parameter's definition has against it. */
export function refusalOf({
  type = "string",
  ...props
}: AnyParameterProps): (value: AnyParameterValue) => string | undefined {
  // Read once: the properties are the user's to change.
  const { defaultRules } = knownDefinition(
    literalValues({ ...props, type }),
    (value) => value === UNKNOWN,
  );
  return (value) => {
    if (!isOfType(type, value)) return `must be of the type ${String(type)}`;
    const text = parameterText(value);
    if (defaultRules === undefined || isToken(text)) return undefined;
    return valueProblem(defaultRules, literalText(text));
  };
}
