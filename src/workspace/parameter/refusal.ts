import { isToken, literalText, literalValues } from "../../construct";
import { UNKNOWN } from "../../schema";
import { knownDefinition } from "./definition/known-definition";
import { valueProblem } from "./definition/parameter-value";
import type { AnyParameterProps } from "./config";
import { isOfType, parameterString, type AnyParameterValue } from "./value";

/** Returns a function that checks values against the literal part of a parameter's definition. */
export function refusalOf({
  type = "string",
  ...props
}: AnyParameterProps): (value: AnyParameterValue) => string | undefined {
  // Read once: the caller may change the properties later.
  const { defaultRules } = knownDefinition(
    literalValues({ ...props, type }),
    (value) => value === UNKNOWN,
  );
  return (value) => {
    if (!isOfType(type, value)) return `must have the type ${String(type)}`;
    const string = parameterString(value);
    if (defaultRules === undefined || isToken(string)) return undefined;
    return valueProblem(defaultRules, literalText(string));
  };
}
