import { isRecord } from "../json/is-object";
import type { Breach, Label, ResourceRule } from "./resource-rule";

/**
 * Forbids two elements of a repeated block to have the same value of an attribute. Reports each repetition.
 */
export function uniqueIn<const Name extends string>(
  block: Name,
  attribute: string,
): ResourceRule<Name> {
  const doc = (label: Label): string =>
    `each \`${attribute}\` of \`${label(block)}\` must be unique`;
  return {
    code: "INVALID_ARGUMENT",
    severity: "error",
    inputs: [block],
    doc,
    broken: (values, _label, isUnknown) => {
      const elements: unknown = values[block];
      if (!Array.isArray(elements)) return undefined;
      const first = new Map<unknown, number>();
      const breaches: Breach<Name>[] = [];
      elements.forEach((element: unknown, index) => {
        if (isUnknown(element) || !isRecord(element)) return;
        const value = element[attribute];
        if (value === undefined || value === null || isUnknown(value)) return;
        const other = first.get(value);
        if (other === undefined) first.set(value, index);
        else {
          const message = `must differ from that of element ${other} (got ${JSON.stringify(value)})`;
          breaches.push({ name: block, path: [index, attribute], message });
        }
      });
      return breaches;
    },
  };
}
