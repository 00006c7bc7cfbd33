/**
 * A type in Terraform's type system, cty.
 *
 * `"dynamic"` is the type of attributes whose values have their own type. `"decimal"` and `"int64"` are
 * Terraform's numbers, too, but other values in JavaScript: decimal text, and a `bigint` of 64 bits.
 *
 * @see {@link https://github.com/zclconf/go-cty/blob/main/docs/types.md}
 */
export type CtyType =
  | "string"
  | "number"
  | "decimal"
  | "int64"
  | "bool"
  | "dynamic"
  | CtyListType
  | CtySetType
  | CtyMapType
  | CtyTupleType
  | CtyObjectType;

/** An ordered sequence of elements of one type. */
export interface CtyListType {
  readonly list: CtyType;
}

/** An unordered collection of distinct elements of one type. */
export interface CtySetType {
  readonly set: CtyType;
}

/** Elements of one type with arbitrary string keys. */
export interface CtyMapType {
  readonly map: CtyType;
}

/** A sequence of fixed length, in which each element has its own type. */
export interface CtyTupleType {
  readonly tuple: readonly CtyType[];
}

/** A fixed set of named attributes, each with its own type. */
export interface CtyObjectType {
  readonly object: readonly CtyField[];
}

/** One attribute of an object type. */
export interface CtyField {
  /** The attribute's name in Terraform. */
  readonly wire: string;
  /** The property's name in JavaScript; equals `wire` in types that arrive with a dynamic value. */
  readonly name: string;
  readonly type: CtyType;
  /** Lets values omit the attribute, in a type constraint. @default false */
  readonly optional?: boolean;
  /** Encodes an unknown value as one that is not null. @default false */
  readonly neverNull?: boolean;
}
