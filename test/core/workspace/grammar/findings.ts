import { checkValue, t, type ValueRule } from "../../../../src/core/schema";

/** The messages of a rule for a string, without the value at the end. */
export function findings(rule: ValueRule, text: string): readonly string[] {
  return checkValue(t.string(rule), text, () => false).map(({ message }) =>
    message.replace(/ \(got [^]*\)$/, ""),
  );
}
