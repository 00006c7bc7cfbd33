import { isRecord } from "../../json/is-object";
import type { Attribute, Fields } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import { hasSemanticEquality } from "../../schema/semantic-equality";
import type { Type } from "../../schema/type";
import { containsUnknown } from "./conformity";

/** Whether two known values of an attribute mean the same, although they may differ. */
export function meansTheSame(attribute: Attribute, one: unknown, other: unknown): boolean {
  if (attribute.semanticEquals === undefined) return false;
  if ((one ?? null) === null || (other ?? null) === null) return false;
  if (containsUnknown(one) || containsUnknown(other)) return false;
  // The values have the attribute's type, which is not known here.
  return attribute.semanticEquals(one, other);
}

/**
 * Replaces values that mean the same as before by those before, at any depth outside of sets.
 *
 * @param before the prior state of a read, or the plan of a change
 * @param after what the handler returned
 */
export function keepEquivalent(fields: Fields, before: Values, after: Values): Values {
  if (!hasSemanticEquality(fields)) return after;
  const { attributes, blocks = {} } = fields;
  const kept: Record<string, unknown> = { ...after };
  for (const [name, attribute] of Object.entries(attributes)) {
    kept[name] = meansTheSame(attribute, before[name], after[name])
      ? before[name]
      : inType(attribute.type, before[name], after[name]);
  }
  for (const [name, { nesting, fields: inner }] of Object.entries(blocks)) {
    if (nesting === "set") continue;
    const keep = (one: unknown, other: unknown): unknown =>
      isRecord(one) && isRecord(other) ? keepEquivalent(inner, one, other) : other;
    kept[name] =
      nesting === "single"
        ? keep(before[name], after[name])
        : elements(before[name], after[name], keep);
  }
  return kept;
}

function inType(type: Type, before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  if (type.kind === "object") return keepEquivalent(type.fields, before, after);
  if (!("of" in type) || type.kind === "set") return after;
  return elements(before, after, (one, other) => inType(type.of, one, other));
}

/** Elements of lists by their index, and of maps by their key. */
function elements(
  before: unknown,
  after: unknown,
  keep: (one: unknown, other: unknown) => unknown,
): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  if (Array.isArray(after)) {
    return after.map((each: unknown, index) => keep(before[index], each));
  }
  const kept = Object.create(null) as Record<string, unknown>;
  for (const [key, each] of Object.entries(after)) kept[key] = keep(before[key], each);
  return kept;
}
