import { type CtyType, formatPath } from "../provider-kit/values";
import { NotKnown, Value } from "../expression/value";
import type { Step } from "./value-path";

/**
 * Stands for the values that a deployment would have decided, such as the time of a creation. They begin with a
 * character that no service returns.
 */
const assumedSign = "\u{f8ff}";

/**
 * Replaces what is not known by values that stand for it, as if the stack had been deployed. A string names its
 * attribute; any other value is null.
 */
export function assumed(value: Value, address: string, path: readonly Step[] = []): Value {
  if (value.content instanceof NotKnown) {
    const name = `${assumedSign}${address}.${formatPath(path)}${assumedSign}`;
    return new Value(value.type, isText(value.type) ? name : null, value.isSensitive);
  }
  if (Array.isArray(value.content)) {
    const elements = value.elements().map((each, at) => assumed(each, address, [...path, at]));
    return new Value(value.type, elements, value.isSensitive);
  }
  if (!(value.content instanceof Map)) return value;
  const members = [...value.members()].map(
    ([name, member]) => [name, assumed(member, address, [...path, name])] as const,
  );
  return new Value(value.type, new Map(members), value.isSensitive);
}

const isText = (type: CtyType): boolean => type === "string" || type === "dynamic";

/**
 * Makes the values that stand for others unknown again, so that they are never shown.
 *
 * @param before the same value before a change: what it keeps becomes null, so that it shows no difference
 */
export function withoutAssumed(value: Value, before?: Value): Value {
  const { content, type, isSensitive } = value;
  if (typeof content === "string") {
    if (!content.includes(assumedSign)) return value;
    if (content === before?.content) return new Value(type, null, isSensitive);
    const [, of = ""] = content.split(assumedSign);
    return Value.unknown(type, { kind: "apply", of }).marked(isSensitive);
  }
  if (Array.isArray(content)) {
    const old = before?.elements() ?? [];
    const elements = value.elements().map((each, at) => withoutAssumed(each, old[at]));
    return new Value(type, elements, isSensitive);
  }
  if (!(content instanceof Map)) return value;
  const members = [...value.members()].map(
    ([name, member]) => [name, withoutAssumed(member, before?.members().get(name))] as const,
  );
  return new Value(type, new Map(members), isSensitive);
}
