import { checkValue, t, type ValueRule } from "../../../src/schema";

/** What a rule says of a text: the messages without the value that they end with. */
export function findings(rule: ValueRule, text: string): readonly string[] {
  return checkValue(t.string(rule), text, () => false).map(({ message }) =>
    message.replace(/ \(got [^]*\)$/, ""),
  );
}
