import type { Attributes, Fields } from "./attribute";
import type { NestedArgs } from "./infer";
import type { ValueRule } from "./value-rule";

declare const valueType: unique symbol;

/** Carries the JavaScript type of a declared type's values; never present at run time. */
export interface Typed<Value> {
  readonly [valueType]?: Value;
}

interface Ruled {
  /** A rule that known values must satisfy, in addition to the type. */
  readonly rule?: ValueRule | undefined;
}

/** A string; with `values`, one of them. */
export interface StringType<Value extends string = string> extends Typed<Value>, Ruled {
  readonly kind: "string";
  readonly values?: readonly Value[] | undefined;
}

/** A number that a double represents exactly. */
export interface NumberType extends Typed<number>, Ruled {
  readonly kind: "number";
}

/** An integer of any size; a `bigint` beyond the safe integers. */
export interface IntegerType extends Typed<number | bigint>, Ruled {
  readonly kind: "integer";
}

/** A number of any precision, as text in decimal notation such as `0.1`. */
export interface DecimalType extends Typed<string>, Ruled {
  readonly kind: "decimal";
}

/** An integer of 64 bits, with its sign. Always a `bigint`. */
export interface Int64Type extends Typed<bigint>, Ruled {
  readonly kind: "int64";
}

/** A boolean. */
export interface BoolType extends Typed<boolean>, Ruled {
  readonly kind: "bool";
}

/**
 * A value with a type of its own, as handlers receive and return it. The only subclass is `DynamicValue` in
 * the provider kit.
 */
export abstract class TypedValue {
  // Makes the type nominal, so that a plain string or object does not have it.
  declare protected readonly isTyped: true;
}

/** A value of any type. Users write it plainly. */
export interface DynamicType extends Typed<unknown>, Ruled {
  readonly kind: "dynamic";
}

/** A sequence. */
export interface ListType<Element extends Type = Type>
  extends Typed<readonly ValueOf<Element>[]>, Ruled {
  readonly kind: "list";
  readonly of: Element;
}

/** A collection without order and without duplicates; an array in JavaScript. */
export interface SetType<Element extends Type = Type>
  extends Typed<readonly ValueOf<Element>[]>, Ruled {
  readonly kind: "set";
  readonly of: Element;
}

/** Values under keys that the user chooses. */
export interface MapType<Element extends Type = Type>
  extends Typed<Readonly<Record<string, ValueOf<Element>>>>, Ruled {
  readonly kind: "map";
  readonly of: Element;
}

/** Nested attributes. */
export interface ObjectType<A extends Attributes = Attributes> extends Typed<NestedArgs<A>>, Ruled {
  readonly kind: "object";
  readonly fields: Fields<A>;
}

/** All types that an attribute can have. */
export type Type =
  | StringType
  | NumberType
  | IntegerType
  | DecimalType
  | Int64Type
  | BoolType
  | DynamicType
  | ListType
  | SetType
  | MapType
  | ObjectType;

/** The JavaScript type of the known values of a declared type. */
export type ValueOf<T> = T extends Typed<infer Value> ? Value : never;

/**
 * The types of attributes.
 *
 * The optional last argument is a rule that known values must satisfy.
 */
export const t = {
  /** A string. */
  string: (valueRule?: ValueRule): StringType => ({ kind: "string", rule: valueRule }),

  /** One of the given strings, compared exactly. */
  oneOf: <const Value extends string>(values: readonly Value[]): StringType<Value> => ({
    kind: "string",
    values,
  }),

  /**
   * A number. Numbers that a double cannot represent exactly are refused; use {@link t.integer} or {@link
   * t.decimal} for those.
   */
  number: (valueRule?: ValueRule): NumberType => ({ kind: "number", rule: valueRule }),

  /** An integer of any size. */
  integer: (valueRule?: ValueRule): IntegerType => ({ kind: "integer", rule: valueRule }),

  /**
   * A number of any precision, such as a price. Handlers receive a string in decimal notation, without
   * trailing zeros, and return any decimal notation; users of Terraform write a number. It can have 153
   * digits, because Terraform calculates with 512 bits: it rounds longer ones before the provider sees them.
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

  /** Nested attributes, alone or as the element of a list, set or map. */
  object: <const A extends Attributes>(attributes: A): ObjectType<A> => ({
    kind: "object",
    fields: { attributes },
  }),
};
