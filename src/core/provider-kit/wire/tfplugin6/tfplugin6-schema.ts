import { type Decoded, type Encodable, field, type Message, message } from "../grpc/protobuf";

const stringKinds = { PLAIN: 0, MARKDOWN: 1 } as const;
const objectNestings = { INVALID: 0, SINGLE: 1, LIST: 2, SET: 3, MAP: 4 } as const;
const blockNestings = { ...objectNestings, GROUP: 5 } as const;

type ObjectNesting = keyof typeof objectNestings;
type BlockNesting = keyof typeof blockNestings;

/** An attribute. Either `type` (Terraform's JSON type descriptor) or `nestedType` is set. */
const Attribute = message(() => ({
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
  deprecationMessage: field.string(12),
}));
type Attribute = Decoded<typeof Attribute>;
export type AttributeInit = Encodable<typeof Attribute>;

// Attribute and ObjectType refer to each other, and so do Block and NestedBlock. The compiler needs an explicit type
// for one of each pair.
export interface ObjectType {
  readonly attributes: readonly Attribute[];
  readonly nesting: ObjectNesting;
}
export interface ObjectTypeInit {
  readonly attributes?: readonly AttributeInit[] | undefined;
  readonly nesting?: ObjectNesting | undefined;
}
const ObjectType: Message<ObjectType, ObjectTypeInit> = message(() => ({
  attributes: field.repeated(field.message(1, () => Attribute)),
  nesting: field.enum(3, objectNestings),
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
/** A block type inside a block, with the allowed number of blocks; 0 means no limit. */
const NestedBlock: Message<NestedBlock, NestedBlockInit> = message(() => ({
  typeName: field.string(1),
  block: field.message(2, () => Block),
  nesting: field.enum(3, blockNestings),
  minItems: field.int64(4),
  maxItems: field.int64(5),
}));

const Block = message(() => ({
  version: field.int64(1),
  attributes: field.repeated(field.message(2, () => Attribute)),
  blockTypes: field.repeated(field.message(3, () => NestedBlock)),
  description: field.string(4),
  descriptionKind: field.enum(5, stringKinds),
  deprecated: field.bool(6),
  deprecationMessage: field.string(7),
}));
type Block = Decoded<typeof Block>;
export type BlockInit = Encodable<typeof Block>;

/** The schema of a provider, resource or data source. `version` is the version of its state. */
export const Schema = message(() => ({
  version: field.int64(1),
  block: field.message(2, () => Block),
}));
export type SchemaInit = Encodable<typeof Schema>;

export const ActionSchema = message(() => ({ schema: field.message(1, () => Schema) }));

const FunctionParameter = message(() => ({
  name: field.string(1),
  type: field.bytes(2),
  allowNullValue: field.bool(3),
  allowUnknownValues: field.bool(4),
  description: field.string(5),
  descriptionKind: field.enum(6, stringKinds),
}));
export type FunctionParameterInit = Encodable<typeof FunctionParameter>;

/** The type that a function returns, as Terraform's JSON type descriptor. */
const FunctionReturn = message(() => ({ type: field.bytes(1) }));

/** The signature of a function that the provider offers. */
export const FunctionSignature = message(() => ({
  parameters: field.repeated(field.message(1, () => FunctionParameter)),
  variadicParameter: field.message(2, () => FunctionParameter),
  return: field.message(3, () => FunctionReturn),
  summary: field.string(4),
  description: field.string(5),
  descriptionKind: field.enum(6, stringKinds),
  deprecationMessage: field.string(7),
}));
export type FunctionSignatureInit = Encodable<typeof FunctionSignature>;

/** One value of an identity. `type` is Terraform's JSON type descriptor. */
const IdentityAttribute = message(() => ({
  name: field.string(1),
  type: field.bytes(2),
  requiredForImport: field.bool(3),
  optionalForImport: field.bool(4),
  description: field.string(5),
}));

/** The values that identify a resource. `version` is the version of the stored identity. */
export const ResourceIdentitySchema = message(() => ({
  version: field.int64(1),
  identityAttributes: field.repeated(field.message(2, () => IdentityAttribute)),
}));
export type ResourceIdentitySchemaInit = Encodable<typeof ResourceIdentitySchema>;
