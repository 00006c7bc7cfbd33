import { type Decoded, type Encodable, field, type Message, message } from "../protobuf/protobuf";

const STRING_KINDS = { PLAIN: 0, MARKDOWN: 1 } as const;
export type StringKind = keyof typeof STRING_KINDS;

const OBJECT_NESTINGS = { INVALID: 0, SINGLE: 1, LIST: 2, SET: 3, MAP: 4 } as const;
const BLOCK_NESTINGS = { ...OBJECT_NESTINGS, GROUP: 5 } as const;

/** How often an object-valued attribute or a block may occur, and how its elements are told apart. */
export type ObjectNesting = keyof typeof OBJECT_NESTINGS;
export type BlockNesting = keyof typeof BLOCK_NESTINGS;

/** An attribute whose `type` is Terraform's JSON type descriptor, or whose `nestedType` is set. */
export const Attribute = message(() => ({
  name: field.string(1),
  type: field.bytes(2),
  description: field.string(3),
  required: field.bool(4),
  optional: field.bool(5),
  computed: field.bool(6),
  sensitive: field.bool(7),
  descriptionKind: field.enum(8, STRING_KINDS),
  deprecated: field.bool(9),
  nestedType: field.message(10, () => ObjectType),
  writeOnly: field.bool(11),
}));
export type Attribute = Decoded<typeof Attribute>;
export type AttributeInit = Encodable<typeof Attribute>;

// Attribute and ObjectType, Block and NestedBlock refer to each other; the compiler needs one of
// each pair spelled out.
export interface ObjectType {
  readonly attributes: readonly Attribute[];
  readonly nesting: ObjectNesting;
}
export interface ObjectTypeInit {
  readonly attributes?: readonly AttributeInit[] | undefined;
  readonly nesting?: ObjectNesting | undefined;
}
export const ObjectType: Message<ObjectType, ObjectTypeInit> = message(() => ({
  attributes: field.repeated(field.message(1, () => Attribute)),
  nesting: field.enum(3, OBJECT_NESTINGS),
}));

export interface NestedBlock {
  readonly typeName: string;
  readonly block: Block | undefined;
  readonly nesting: BlockNesting;
  readonly minItems: number;
  readonly maxItems: number;
}
export interface NestedBlockInit {
  readonly typeName?: string | undefined;
  readonly block?: BlockInit | undefined;
  readonly nesting?: BlockNesting | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}
export const NestedBlock: Message<NestedBlock, NestedBlockInit> = message(() => ({
  typeName: field.string(1),
  block: field.message(2, () => Block),
  nesting: field.enum(3, BLOCK_NESTINGS),
  minItems: field.int64(4),
  maxItems: field.int64(5),
}));

export const Block = message(() => ({
  version: field.int64(1),
  attributes: field.repeated(field.message(2, () => Attribute)),
  blockTypes: field.repeated(field.message(3, () => NestedBlock)),
  description: field.string(4),
  descriptionKind: field.enum(5, STRING_KINDS),
  deprecated: field.bool(6),
}));
export type Block = Decoded<typeof Block>;
export type BlockInit = Encodable<typeof Block>;

export const Schema = message(() => ({
  version: field.int64(1),
  block: field.message(2, () => Block),
}));
export type Schema = Decoded<typeof Schema>;
export type SchemaInit = Encodable<typeof Schema>;

export const FunctionParameter = message(() => ({
  name: field.string(1),
  type: field.bytes(2),
  allowNullValue: field.bool(3),
  allowUnknownValues: field.bool(4),
  description: field.string(5),
  descriptionKind: field.enum(6, STRING_KINDS),
}));
export type FunctionParameter = Decoded<typeof FunctionParameter>;

export const FunctionReturn = message(() => ({ type: field.bytes(1) }));
export type FunctionReturn = Decoded<typeof FunctionReturn>;

/** The signature of a function that the provider offers. */
export const FunctionSignature = message(() => ({
  parameters: field.repeated(field.message(1, () => FunctionParameter)),
  variadicParameter: field.message(2, () => FunctionParameter),
  return: field.message(3, () => FunctionReturn),
  summary: field.string(4),
  description: field.string(5),
  descriptionKind: field.enum(6, STRING_KINDS),
  deprecationMessage: field.string(7),
}));
export type FunctionSignature = Decoded<typeof FunctionSignature>;
