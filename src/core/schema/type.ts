import type {
  Attributes,
  BoolType,
  DecimalType,
  DynamicType,
  Int64Type,
  IntegerType,
  ListType,
  MapType,
  Nullable,
  NumberType,
  ObjectType,
  SetType,
  StringType,
  Type,
} from "./declared-types";
import type { ValueRule } from "./value-rule";

export type {
  DynamicType,
  ListType,
  MapType,
  ObjectType,
  SetType,
  Type,
  ValueOf,
} from "./declared-types";

/**
 * A value with a type of its own, as handlers receive and return it. The only subclass is `DynamicValue` in
 * the provider kit.
 */
export abstract class TypedValue {
  // Makes the type nominal, so that a plain string or object does not have it.
  declare protected readonly isTyped: true;
}

/**
 * The types of attributes.
 *
 * The optional last argument is a rule that known values must satisfy.
 */
export const t = {
  /** A string. */
  string: (valueRule?: ValueRule): StringType => ({ kind: "string", rule: valueRule }),

  /**
   * One of the given strings, compared exactly.
   *
   * @param meant what other strings probably mean, for messages
   */
  oneOf: <const Value extends string>(
    values: readonly Value[],
    meant?: Readonly<Record<string, Value>>,
  ): StringType<Value> => ({ kind: "string", values, ...(meant && { meant }) }),

  /**
   * A number. Handlers receive the nearest double; Terraform plans and stores the number as it is configured, such as
   * `1 / 3`. Numbers with the same nearest double are the same. Use {@link t.integer} or {@link t.decimal} if each digit
   * matters.
   */
  number: (valueRule?: ValueRule): NumberType => ({ kind: "number", rule: valueRule }),

  /** A 32-bit number, such as `float` in Java's APIs. Like {@link t.number}, but with fewer digits. */
  float32: (valueRule?: ValueRule): NumberType => ({ kind: "number", bits: 32, rule: valueRule }),

  /** An integer of any size that Terraform keeps: up to 153 digits. */
  integer: (valueRule?: ValueRule): IntegerType => ({ kind: "integer", rule: valueRule }),

  /** An integer from -2^31 to 2^31 - 1. A value out of range is refused. */
  int32: (valueRule?: ValueRule): IntegerType<number> => ({
    kind: "integer",
    bits: 32,
    rule: valueRule,
  }),

  /**
   * A number of any precision, such as a price. Handlers receive a string in decimal notation, without
   * trailing zeros, and return any decimal notation; users of Terraform write a number. It can have 153
   * digits, or more if Terraform has calculated it, because Terraform's numbers have 512 bits: it rounds longer ones
   * before the provider sees them.
   */
  decimal: (valueRule?: ValueRule): DecimalType => ({ kind: "decimal", rule: valueRule }),

  /**
   * An integer from -2^63 to 2^63 - 1, as many services use it. Handlers receive and return a `bigint`, even
   * for small numbers: no digit is ever lost, and all values have the same type. A value out of range is
   * refused.
   */
  int64: (valueRule?: ValueRule): Int64Type => ({ kind: "int64", rule: valueRule }),

  /** A boolean. */
  bool: (): BoolType => ({ kind: "bool" }),

  /** A value of any type. Users write it plainly; handlers receive and return it with its type. */
  dynamic: (): DynamicType => ({ kind: "dynamic" }),

  /** A sequence of values of one type. */
  list: <Element extends Type>(of: Element, valueRule?: ValueRule): ListType<Element> => ({
    kind: "list",
    of,
    rule: valueRule,
  }),

  /** A set of values of one type. */
  set: <Element extends Type>(of: Element, valueRule?: ValueRule): SetType<Element> => ({
    kind: "set",
    of,
    rule: valueRule,
  }),

  /** Values of one type under keys that the user chooses. */
  map: <Element extends Type>(of: Element, valueRule?: ValueRule): MapType<Element> => ({
    kind: "map",
    of,
    rule: valueRule,
  }),

  /**
   * Elements that can be null, such as the values of a map from optional variables: `t.map(t.nullable(t.string()))`.
   * Other elements must not be null.
   */
  nullable: <Element extends Type>(type: Element): Nullable<Element> => ({
    ...type,
    nullable: true,
  }),

  /** Nested attributes, alone or as the element of a list, set or map. */
  object: <const A extends Attributes>(attributes: A): ObjectType<A> => ({
    kind: "object",
    fields: { attributes },
  }),

  /**
   * An object that has all of its members, like `ObjectAttribute` in Go: a configuration must set each one, but members
   * that are `optional` can be null. Terraform knows only their types, so prefer {@link t.object} for a new attribute.
   */
  plainObject: <const A extends Attributes>(attributes: A): ObjectType<A> => ({
    kind: "object",
    isPlain: true,
    fields: { attributes },
  }),
};

/** Returns the values of an enum that is declared as a table of values and their meanings. */
export function enumValues<const Meanings extends Readonly<Record<string, string>>>(
  meanings: Meanings,
): readonly Extract<keyof Meanings, string>[] {
  // The keys of a literal table are exactly its values.
  return Object.keys(meanings) as Extract<keyof Meanings, string>[];
}

/** Returns the meanings of an enum's values, as one sentence of a description. */
export function enumMeanings(meanings: Readonly<Record<string, string>>): string {
  const all = Object.entries(meanings).map(([value, meaning]) => `\`${value}\` ${meaning}`);
  return `${all.join("; ")}.`;
}

/**
 * Represents a value that Terraform does not know yet, because it is decided during apply.
 *
 * It is registered under a global key, so that two copies of this package share it.
 */
export const UNKNOWN: unique symbol = Symbol.for("trivet.unknown");

export type Unknown = typeof UNKNOWN;
