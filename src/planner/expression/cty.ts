import {
  type CtyType,
  type CtyValue,
  DynamicValue,
  isCtyRecord,
  partOf,
} from "../../core/provider-kit/values";
import { UNKNOWN } from "../../core/schema";
import { isOpen } from "./types";
import { isNumber, NotKnown, type UnknownReason, Value } from "./value";

/** Converts a value to the form in which the protocol encodes it. Marks are lost. */
export function toCty(value: Value, type: CtyType = value.type): CtyValue {
  if (type === "dynamic" && value.type !== "dynamic") {
    return new DynamicValue(value.type, toCty(value, value.type));
  }
  const { content } = value;
  if (content === null) return null;
  if (content instanceof NotKnown) return UNKNOWN;
  if (typeof content === "string" || typeof content === "boolean" || isNumber(content)) {
    return content;
  }
  if (Array.isArray(content)) {
    return value.elements().map((element, at) => toCty(element, typeAt(type, at)));
  }
  return Object.assign(
    Object.create(null) as object,
    Object.fromEntries(
      [...value.members()].map(([name, member]) => [name, toCty(member, typeAt(type, name))]),
    ),
  ) as CtyValue;
}

/** Converts a decoded value. What is not known in it gets the reason that `reasonOf` returns for its path. */
export function fromCty(
  type: CtyType,
  value: CtyValue,
  reasonsOf: (path: readonly string[]) => readonly UnknownReason[],
  path: readonly string[] = [],
): Value {
  if (value instanceof DynamicValue) return fromCty(value.type, value.value, reasonsOf, path);
  if (value === UNKNOWN) return Value.unknown(type, ...reasonsOf(path));
  if (value === null || typeof value === "string" || typeof value === "boolean") {
    return new Value(type, value);
  }
  if (isNumber(value as Value["content"])) return new Value(type, value as Value["content"]);
  if (Array.isArray(value)) {
    return new Value(
      type,
      (value as readonly CtyValue[]).map((each, at) =>
        fromCty(typeAt(type, at), each, reasonsOf, [...path, String(at)]),
      ),
    );
  }
  const members = isCtyRecord(value) ? Object.entries(value) : [];
  const parts = new Map(
    members.map(([name, each]) => [
      name,
      fromCty(typeAt(type, name), each, reasonsOf, [...path, name]),
    ]),
  );
  // The type of a value says what its parts are, where its schema leaves that open.
  const isObject = typeof type === "object" && "object" in type;
  return isObject && isOpen(type) ? Value.object(parts) : new Value(type, parts);
}

const typeAt = (type: CtyType, step: string | number): CtyType => partOf(type, step) ?? "dynamic";
