/**
 * A type of Terraform's type system.
 *
 * `"dynamic"` is the type of attributes whose values carry their own type.
 */
export type CtyType =
  | "string"
  | "number"
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

/** Elements of one type under arbitrary text keys. */
export interface CtyMapType {
  readonly map: CtyType;
}

/** A sequence of fixed length, each place with a type of its own. */
export interface CtyTupleType {
  readonly tuple: readonly CtyType[];
}

/** A fixed set of named attributes, each with a type of its own. */
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
  /** Whether a type constraint lets the attribute be left out. @default false */
  readonly optional?: boolean;
}
