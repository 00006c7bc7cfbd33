import { type Decoded, type Encodable, field, message } from "../protobuf/protobuf";

export const DynamicValue = message(() => ({ msgpack: field.bytes(1), json: field.bytes(2) }));
export type DynamicValue = Decoded<typeof DynamicValue>;
export type DynamicValueInit = Encodable<typeof DynamicValue>;

/** One step of an attribute path: exactly one of the three members. */
export const AttributePathStep = message(() => ({
  attributeName: field.optional(field.string(1)),
  elementKeyString: field.optional(field.string(2)),
  elementKeyInt: field.optional(field.int64(3)),
}));
export type AttributePathStep = Decoded<typeof AttributePathStep>;
export type AttributePathStepInit = Encodable<typeof AttributePathStep>;

export const AttributePath = message(() => ({
  steps: field.repeated(field.message(1, () => AttributePathStep)),
}));
export type AttributePath = Decoded<typeof AttributePath>;
export type AttributePathInit = Encodable<typeof AttributePath>;

export const Diagnostic = message(() => ({
  severity: field.enum(1, { INVALID: 0, ERROR: 1, WARNING: 2 }),
  summary: field.string(2),
  detail: field.string(3),
  attribute: field.message(4, () => AttributePath),
}));
export type Diagnostic = Decoded<typeof Diagnostic>;
export type DiagnosticInit = Encodable<typeof Diagnostic>;

export const FunctionError = message(() => ({
  text: field.string(1),
  functionArgument: field.optional(field.int64(2)),
}));
export type FunctionError = Decoded<typeof FunctionError>;
export type FunctionErrorInit = Encodable<typeof FunctionError>;

/** A stored state: JSON, or the flat map of Terraform before 0.12. */
export const RawState = message(() => ({
  json: field.bytes(1),
  flatmap: field.map(2, field.string(2)),
}));
export type RawState = Decoded<typeof RawState>;

export const ClientCapabilities = message(() => ({
  deferralAllowed: field.bool(1),
  writeOnlyAttributesAllowed: field.bool(2),
}));
export type ClientCapabilities = Decoded<typeof ClientCapabilities>;

export const ServerCapabilities = message(() => ({
  planDestroy: field.bool(1),
  getProviderSchemaOptional: field.bool(2),
  moveResourceState: field.bool(3),
}));
export type ServerCapabilities = Decoded<typeof ServerCapabilities>;
export type ServerCapabilitiesInit = Encodable<typeof ServerCapabilities>;

export const Deferred = message(() => ({
  reason: field.enum(1, {
    UNKNOWN: 0,
    RESOURCE_CONFIG_UNKNOWN: 1,
    PROVIDER_CONFIG_UNKNOWN: 2,
    ABSENT_PREREQ: 3,
  }),
}));
export type Deferred = Decoded<typeof Deferred>;
export type DeferredInit = Encodable<typeof Deferred>;

/** A point in time: seconds since 1970 and nanoseconds on top. */
export const Timestamp = message(() => ({ seconds: field.int64(1), nanos: field.int64(2) }));
export type Timestamp = Decoded<typeof Timestamp>;
