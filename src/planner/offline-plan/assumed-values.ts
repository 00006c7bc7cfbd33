import { type CtyType, formatPath } from "../../core/provider-kit/values";
import { NotKnown, Value } from "../expression/value";
import { isSame } from "./stand-ins";
import type { Step } from "./value-path";

/**
 * Stands for the values that a deployment would have decided, such as the time of a creation. They begin with a
 * character that no service returns.
 */
const assumedSign = "\u{f8ff}";

/**
 * Replaces what only the apply decides by values that stand for it, as if the stack had been deployed. A string names
 * its attribute; any other value is null.
 */
export const assumed = (value: Value, address: string): Value =>
  replaced(value, [], (content, path) =>
    content.name === undefined ? `${address}.${formatPath(path)}` : undefined,
  );

/** Likewise replaces what is not planned: a string has its name. */
export const standingIn = (value: Value): Value => replaced(value, [], ({ name = "" }) => name);

/** @param nameOf returns what stands for a value that is not known; undefined to keep it as it is */
function replaced(
  value: Value,
  path: readonly Step[],
  nameOf: (content: NotKnown, path: readonly Step[]) => string | undefined,
): Value {
  const { content, type, isSensitive } = value;
  if (content instanceof NotKnown) {
    const name = nameOf(content, path);
    if (name === undefined) return value;
    return new Value(
      type,
      isText(type) ? `${assumedSign}${name}${assumedSign}` : null,
      isSensitive,
    );
  }
  return value.withParts((part, step) => replaced(part, [...path, step], nameOf));
}

const isText = (type: CtyType): boolean => type === "string" || type === "dynamic";

/**
 * Makes the values that stand for others unknown again, so that they are never shown.
 *
 * @param before the same value before or after a change: what it keeps becomes null, so that it shows no difference
 */
export function withoutAssumed(value: Value, before?: Value): Value {
  const { content, type, isSensitive } = value;
  const isOpen = content instanceof NotKnown || (Array.isArray(content) && !value.isWhollyKnown);
  if (isOpen && before !== undefined && isSame(value, before)) {
    return new Value(type, null, isSensitive);
  }
  if (typeof content === "string") {
    if (!content.includes(assumedSign)) return value;
    if (content === before?.content) return new Value(type, null, isSensitive);
    const [, of = ""] = content.split(assumedSign);
    return Value.unknown(type, { kind: "apply", of }).marked(isSensitive);
  }
  const old = new Map(before?.places());
  return value.withParts((part, step) => withoutAssumed(part, old.get(step)));
}
