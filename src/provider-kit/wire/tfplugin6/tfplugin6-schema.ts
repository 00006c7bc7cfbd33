import { type Decoded, type Encodable, field, type Message, message } from "../protobuf/protobuf";

const stringKinds = { PLAIN: 0, MARKDOWN: 1 } as const;
/**
 * The format of a description.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */

const objectNestings = { INVALID: 0, SINGLE: 1, LIST: 2, SET: 3, MAP: 4 } as const;
const blockNestings = { ...objectNestings, GROUP: 5 } as const;

/**
 * The nesting mode of nested attributes: an object, or a collection of objects.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ObjectNesting = keyof typeof objectNestings;
/**
 * The nesting mode of a block.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type BlockNesting = keyof typeof blockNestings;

/**
 * An attribute. Either `type` (Terraform's JSON type descriptor) or `nestedType` is set.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const Attribute = message(() => ({
  name: field.string(1),
  type: field.bytes(2),
  description: field.string(3),
  required: field.bool(4),
  optional: field.bool(5),
  computed: field.bool(6),
  sensitive: field.bool(7),
  descriptionKind: field.enum(8, stringKinds),
  deprecated: field.bool(9),
  nestedType: field.message(10, () => ObjectType),
  writeOnly: field.bool(11),
}));
/**
 * A decoded {@link Attribute} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type Attribute = Decoded<typeof Attribute>;
/**
 * The input for encoding {@link Attribute}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type AttributeInit = Encodable<typeof Attribute>;

// Attribute and ObjectType, and Block and NestedBlock, refer to each other. The compiler needs an
// explicit type for one of each pair.
/**
 * A decoded {@link ObjectType} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export interface ObjectType {
  readonly attributes: readonly Attribute[];
  readonly nesting: ObjectNesting;
}
/**
 * The input for encoding {@link ObjectType}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export interface ObjectTypeInit {
  readonly attributes?: readonly AttributeInit[] | undefined;
  readonly nesting?: ObjectNesting | undefined;
}
/**
 * The type of an attribute with nested attributes.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ObjectType: Message<ObjectType, ObjectTypeInit> = message(() => ({
  attributes: field.repeated(field.message(1, () => Attribute)),
  nesting: field.enum(3, objectNestings),
}));

/**
 * A decoded {@link NestedBlock} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export interface NestedBlock {
  readonly typeName: string;
  readonly block: Block | undefined;
  readonly nesting: BlockNesting;
  readonly minItems: number;
  readonly maxItems: number;
}
/**
 * The input for encoding {@link NestedBlock}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export interface NestedBlockInit {
  readonly typeName?: string | undefined;
  readonly block?: BlockInit | undefined;
  readonly nesting?: BlockNesting | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}
/**
 * A block type inside a block, with the allowed number of blocks; 0 means no limit.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const NestedBlock: Message<NestedBlock, NestedBlockInit> = message(() => ({
  typeName: field.string(1),
  block: field.message(2, () => Block),
  nesting: field.enum(3, blockNestings),
  minItems: field.int64(4),
  maxItems: field.int64(5),
}));

/**
 * The attributes and nested blocks of a block.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const Block = message(() => ({
  version: field.int64(1),
  attributes: field.repeated(field.message(2, () => Attribute)),
  blockTypes: field.repeated(field.message(3, () => NestedBlock)),
  description: field.string(4),
  descriptionKind: field.enum(5, stringKinds),
  deprecated: field.bool(6),
}));
/**
 * A decoded {@link Block} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type Block = Decoded<typeof Block>;
/**
 * The input for encoding {@link Block}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type BlockInit = Encodable<typeof Block>;

/**
 * The schema of a provider, resource or data source. `version` is the version of its state.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const Schema = message(() => ({
  version: field.int64(1),
  block: field.message(2, () => Block),
}));
/**
 * A decoded {@link Schema} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type Schema = Decoded<typeof Schema>;
/**
 * The input for encoding {@link Schema}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type SchemaInit = Encodable<typeof Schema>;

/**
 * A parameter of a function.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const FunctionParameter = message(() => ({
  name: field.string(1),
  type: field.bytes(2),
  allowNullValue: field.bool(3),
  allowUnknownValues: field.bool(4),
  description: field.string(5),
  descriptionKind: field.enum(6, stringKinds),
}));
/**
 * A decoded {@link FunctionParameter} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type FunctionParameter = Decoded<typeof FunctionParameter>;
/**
 * The input for encoding {@link FunctionParameter}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type FunctionParameterInit = Encodable<typeof FunctionParameter>;

/**
 * The type that a function returns, as Terraform's JSON type descriptor.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const FunctionReturn = message(() => ({ type: field.bytes(1) }));
/**
 * A decoded {@link FunctionReturn} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type FunctionReturn = Decoded<typeof FunctionReturn>;

/**
 * The signature of a function that the provider offers.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const FunctionSignature = message(() => ({
  parameters: field.repeated(field.message(1, () => FunctionParameter)),
  variadicParameter: field.message(2, () => FunctionParameter),
  return: field.message(3, () => FunctionReturn),
  summary: field.string(4),
  description: field.string(5),
  descriptionKind: field.enum(6, stringKinds),
  deprecationMessage: field.string(7),
}));
/**
 * A decoded {@link FunctionSignature} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type FunctionSignature = Decoded<typeof FunctionSignature>;
/**
 * The input for encoding {@link FunctionSignature}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type FunctionSignatureInit = Encodable<typeof FunctionSignature>;
