import { isRecord } from "../../json/is-object";
import type { Fields } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import type { Type } from "../../schema/type";

/** Whether a declaration, a block or an object has an attribute of type `number` at any depth. */
export function hasDoubles({ attributes, blocks = {} }: Fields): boolean {
  return (
    Object.values(attributes).some(({ type }) => isDouble(type)) ||
    Object.values(blocks).some(({ fields }) => hasDoubles(fields))
  );
}

/**
 * Converts whole numbers from 2^53 on, which are decoded as `bigint`, for attributes of type `number`.
 * Keeps those that no double represents exactly: they are refused by the type's check.
 */
export function withDoubles({ attributes, blocks = {} }: Fields, values: Values): Values {
  const converted: Record<string, unknown> = { ...values };
  for (const [name, { type }] of Object.entries(attributes)) {
    if (isDouble(type)) converted[name] = doublesOf(type, values[name]);
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    if (!hasDoubles(fields)) continue;
    const convert = (each: unknown): unknown => (isRecord(each) ? withDoubles(fields, each) : each);
    converted[name] = nesting === "single" ? convert(values[name]) : mapped(values[name], convert);
  }
  return converted;
}

function isDouble(type: Type): boolean {
  if (type.kind === "object") return hasDoubles(type.fields);
  return "of" in type ? isDouble(type.of) : type.kind === "number";
}

function doublesOf(type: Type, value: unknown): unknown {
  if (type.kind === "object") return isRecord(value) ? withDoubles(type.fields, value) : value;
  if ("of" in type) return mapped(value, (each) => doublesOf(type.of, each));
  if (typeof value !== "bigint") return value;
  const double = Number(value);
  return Number.isFinite(double) && BigInt(double) === value ? double : value;
}

/** The elements of a list, set or map, converted. Keeps null and unknown. */
function mapped(value: unknown, convert: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, convert(each)] as const);
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as unknown;
}
