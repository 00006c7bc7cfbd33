import { isToken } from "../../construct";
import { knownDefinition } from "../declare/parameter/known-definition";
import { valueProblem } from "../declare/parameter/parameter-value";
import type { TextualParameterProps } from "./parameter-config";
import { parameterText, type AnyParameterValue } from "./parameter-value";

/** Says of each value what the literal part of a parameter's definition has against it. */
export function refusalOf(
  props: TextualParameterProps,
): (value: AnyParameterValue) => string | undefined {
  // The properties are the user's to change, so what they say now is kept.
  const { validation } = props;
  const blocks = validation === undefined ? [] : [{ ...validation }];
  const { defaultRules } = knownDefinition({ ...props, validation: blocks }, isToken);
  return (value) => {
    const text = parameterText(value);
    if (defaultRules === undefined || isToken(text)) return undefined;
    return valueProblem(defaultRules, text);
  };
}
