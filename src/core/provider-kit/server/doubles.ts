import { isRecord } from "../../json/plain-json";
import type { Block, Fields } from "../../schema/attribute";
import { nearest } from "../../schema/number";
import type { Values } from "../../schema/resource-rule";
import type { NumberType } from "../../schema/declared-types";
import { type Type, UNKNOWN } from "../../schema/type";
import { equal } from "../cty/equal";
import { Decimal } from "../cty/number";
import { type CtyValue, noEntries } from "../cty/value";
import { ctyTypeOfValue } from "../plan/cty-type";

/** Checks whether a declaration, a block or an object has an attribute of type `number` at any depth. */
export function hasDoubles({ attributes, blocks = {} }: Fields): boolean {
  return (
    Object.values(attributes).some(({ type }) => isDouble(type)) ||
    Object.values(blocks).some(({ fields }) => hasDoubles(fields))
  );
}

function isDouble(type: Type): boolean {
  if (type.kind === "object") return hasDoubles(type.fields);
  return "of" in type ? isDouble(type.of) : type.kind === "number";
}

type Convert = (type: Type, value: unknown, name: string) => unknown;

/** Converts the values that have doubles, and returns the same object if no value changes. */
function converted(fields: Fields, values: Values, convert: Convert, inBlock: InBlock): Values {
  const { attributes, blocks = {} } = fields;
  const changed = Object.entries(attributes)
    .filter(([, { type }]) => isDouble(type))
    .map(([name, { type }]) => [name, convert(type, values[name], name)] as const)
    .concat(
      Object.entries(blocks)
        .filter(([, block]) => hasDoubles(block.fields))
        .map(([name, block]) => [name, inBlock(block, values[name], name)]),
    )
    .filter(([name, value]) => value !== values[name]);
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) };
}

type InBlock = (block: Block, value: unknown, name: string) => unknown;

/**
 * Converts numbers to the nearest doubles, for attributes of type `number`. Keeps numbers out of their range, so that the
 * type's check refuses them.
 */
export function withDoubles(fields: Fields, values: Values): Values {
  return converted(fields, values, doublesOf, ({ nesting, fields: inner }, value) => {
    const convert = (each: unknown): unknown => (isRecord(each) ? withDoubles(inner, each) : each);
    return nesting === "single" ? convert(value) : mapped(value, convert);
  });
}

function doublesOf(type: Type, value: unknown): unknown {
  if (type.kind === "object") return isRecord(value) ? withDoubles(type.fields, value) : value;
  if ("of" in type) return mapped(value, (each) => doublesOf(type.of, each));
  return type.kind === "number" ? doubleOf(type, value) : value;
}

function doubleOf(type: NumberType, value: unknown): unknown {
  if (typeof value === "number") return nearest(type, value) ?? value;
  if (typeof value !== "bigint" && !(value instanceof Decimal)) return value;
  // Zero is always a double, so this number is only too small for one.
  return nearest(type, Number(value.toString()) || Number.NaN) ?? value;
}

/** Converts the elements of a list, set or map. Keeps null and unknown. */
function mapped(value: unknown, convert: (each: unknown, key: string) => unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, convert(each, key)] as const);
  if (entries.every(([key, each]) => each === value[key])) return value;
  if (Array.isArray(value)) return entries.map(([, each]) => each);
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as unknown;
}

/** Returns the exact numbers of an earlier value in the places of the same doubles. */
export function withExact(fields: Fields, values: Values, before: Values): Values {
  const inType: Convert = (type, value, name) => exactOf(type, value, before[name]);
  return converted(fields, values, inType, ({ nesting, fields: inner }, value, name) => {
    const of: Type = { kind: "object", fields: inner };
    return exactOf(nesting === "single" ? of : { kind: nesting, of }, value, before[name]);
  });
}

function exactOf(type: Type, value: unknown, before: unknown): unknown {
  if (type.kind === "number")
    return doubleOf(type, before) === doubleOf(type, value) ? before : value;
  if (!isRecord(value) || !isRecord(before)) return value;
  if (type.kind === "object") return withExact(type.fields, value, before);
  if (!("of" in type)) return value;
  if (type.kind !== "set") {
    return mapped(value, (each, key) => exactOf(type.of, each, before[key]));
  }
  const left = Object.values(before);
  return mapped(value, (each) => {
    const index = left.findIndex((other) => fits(each, doublesOf(type.of, other)));
    return index < 0 ? each : exactOf(type.of, each, left.splice(index, 1)[0]);
  });
}

/** Checks whether two elements of sets can be the same one: what is null or unknown in one can be anything. */
function fits(one: unknown, other: unknown): boolean {
  if (one === other || one === UNKNOWN || other === UNKNOWN) return true;
  if ((one ?? null) === null || (other ?? null) === null) return true;
  if (!isRecord(one) || !isRecord(other)) return false;
  return Object.keys(one).every((key) => fits(one[key], other[key]));
}

/**
 * Returns the exact numbers of a plan: those of the state in an attribute that does not change, else those of the
 * configuration. Terraform accepts no mixture of both.
 */
export function exactPlan(
  fields: Fields,
  planned: Values,
  config: Values,
  prior: Values | undefined,
): Values {
  const inType: Convert = (type, value, name) =>
    planOf(type, value, config[name], prior?.[name] ?? null);
  return converted(fields, planned, inType, ({ nesting, fields: inner }, value, name) => {
    const of: Type = { kind: "object", fields: inner };
    if (nesting === "set") return exactOf({ kind: "set", of }, value, config[name]);
    return inside(
      nesting === "single" ? of : { kind: "list", of },
      value,
      config[name],
      prior?.[name],
    );
  });
}

function planOf(type: Type, value: unknown, config: unknown, prior: unknown): unknown {
  const stored = doublesOf(type, prior) as CtyValue;
  if (prior !== null && equal(ctyTypeOfValue(type), value as CtyValue, stored)) return prior;
  const isNested = type.kind === "object" || ("of" in type && type.of.kind === "object");
  return isNested && type.kind !== "set"
    ? inside(type, value, config, prior)
    : exactOf(type, value, config);
}

function inside(type: Type, value: unknown, config: unknown, prior: unknown): unknown {
  const given = isRecord(config) ? config : noEntries;
  const before = isRecord(prior) ? prior : noEntries;
  if (!isRecord(value)) return value;
  if (type.kind === "object") return exactPlan(type.fields, value, given, before);
  if (!("of" in type)) return value;
  return mapped(value, (each, key) => inside(type.of, each, given[key], before[key]));
}
