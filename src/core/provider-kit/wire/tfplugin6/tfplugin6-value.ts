import { type Decoded, type Encodable, field, message } from "../grpc/protobuf";

/** A value of any type, as msgpack or JSON. Exactly one of the two is set. */
export const DynamicValue = message(() => ({ msgpack: field.bytes(1), json: field.bytes(2) }));
export type DynamicValue = Decoded<typeof DynamicValue>;
export type DynamicValueInit = Encodable<typeof DynamicValue>;

/** One step of an attribute path. Exactly one of the three members is set. */
const AttributePathStep = message(() => ({
  attributeName: field.optional(field.string(1)),
  elementKeyString: field.optional(field.string(2)),
  elementKeyInt: field.optional(field.int64(3)),
}));
export type AttributePathStepInit = Encodable<typeof AttributePathStep>;

/** The path of an attribute or an element inside a value. */
export const AttributePath = message(() => ({
  steps: field.repeated(field.message(1, () => AttributePathStep)),
}));
export type AttributePathInit = Encodable<typeof AttributePath>;

/** An error or a warning, which Terraform shows to the user. */
export const Diagnostic = message(() => ({
  severity: field.enum(1, { INVALID: 0, ERROR: 1, WARNING: 2 }),
  summary: field.string(2),
  detail: field.string(3),
  attribute: field.message(4, () => AttributePath),
}));
export type Diagnostic = Decoded<typeof Diagnostic>;
export type DiagnosticInit = Encodable<typeof Diagnostic>;

/** The error of a function call, with the index of the argument that caused it. */
export const FunctionError = message(() => ({
  text: field.string(1),
  functionArgument: field.optional(field.int64(2)),
}));

/** A stored state: JSON, or the flat map of Terraform before 0.12. */
export const RawState = message(() => ({
  json: field.bytes(1),
  flatmap: field.map(2, field.string(2)),
}));
export type RawState = Decoded<typeof RawState>;

export const ResourceIdentityData = message(() => ({
  identityData: field.message(1, () => DynamicValue),
}));
export type ResourceIdentityData = Decoded<typeof ResourceIdentityData>;
export type ResourceIdentityDataInit = Encodable<typeof ResourceIdentityData>;

/** The optional features of the protocol that Terraform supports. */
export const ClientCapabilities = message(() => ({
  deferralAllowed: field.bool(1),
  writeOnlyAttributesAllowed: field.bool(2),
}));
export type ClientCapabilities = Decoded<typeof ClientCapabilities>;

/** The optional features of the protocol that the provider supports. */
export const ServerCapabilities = message(() => ({
  planDestroy: field.bool(1),
  getProviderSchemaOptional: field.bool(2),
  moveResourceState: field.bool(3),
}));
export type ServerCapabilitiesInit = Encodable<typeof ServerCapabilities>;

/** The reason for which the provider defers a change to a later plan. */
export const Deferred = message(() => ({
  reason: field.enum(1, {
    UNKNOWN: 0,
    RESOURCE_CONFIG_UNKNOWN: 1,
    PROVIDER_CONFIG_UNKNOWN: 2,
    ABSENT_PREREQ: 3,
  }),
}));
export type Deferred = Decoded<typeof Deferred>;

/** The time since the epoch. */
export const Timestamp = message(() => ({ seconds: field.int64(1), nanos: field.int64(2) }));
