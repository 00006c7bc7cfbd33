import { type Decoded, type Encodable, field, message } from "../protobuf/protobuf";

/**
 * A value of any type, as msgpack or JSON. Exactly one of the two is set.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const DynamicValue = message(() => ({ msgpack: field.bytes(1), json: field.bytes(2) }));
/**
 * A decoded {@link DynamicValue} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type DynamicValue = Decoded<typeof DynamicValue>;
/**
 * The input for encoding {@link DynamicValue}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type DynamicValueInit = Encodable<typeof DynamicValue>;

/**
 * One step of an attribute path. Exactly one of the three members is set.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const AttributePathStep = message(() => ({
  attributeName: field.optional(field.string(1)),
  elementKeyString: field.optional(field.string(2)),
  elementKeyInt: field.optional(field.int64(3)),
}));
/**
 * A decoded {@link AttributePathStep} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type AttributePathStep = Decoded<typeof AttributePathStep>;
/**
 * The input for encoding {@link AttributePathStep}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type AttributePathStepInit = Encodable<typeof AttributePathStep>;

/**
 * The path of an attribute or an element inside a value.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const AttributePath = message(() => ({
  steps: field.repeated(field.message(1, () => AttributePathStep)),
}));
/**
 * A decoded {@link AttributePath} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type AttributePath = Decoded<typeof AttributePath>;
/**
 * The input for encoding {@link AttributePath}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type AttributePathInit = Encodable<typeof AttributePath>;

/**
 * An error or a warning, which Terraform shows to the user.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const Diagnostic = message(() => ({
  severity: field.enum(1, { INVALID: 0, ERROR: 1, WARNING: 2 }),
  summary: field.string(2),
  detail: field.string(3),
  attribute: field.message(4, () => AttributePath),
}));
/**
 * A decoded {@link Diagnostic} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type Diagnostic = Decoded<typeof Diagnostic>;
/**
 * The input for encoding {@link Diagnostic}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type DiagnosticInit = Encodable<typeof Diagnostic>;

/**
 * The error of a function call, with the index of the argument that caused it.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const FunctionError = message(() => ({
  text: field.string(1),
  functionArgument: field.optional(field.int64(2)),
}));
/**
 * A decoded {@link FunctionError} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type FunctionError = Decoded<typeof FunctionError>;
/**
 * The input for encoding {@link FunctionError}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */

/**
 * A stored state: JSON, or the flat map of Terraform before 0.12.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const RawState = message(() => ({
  json: field.bytes(1),
  flatmap: field.map(2, field.string(2)),
}));
/**
 * A decoded {@link RawState} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type RawState = Decoded<typeof RawState>;

/**
 * The optional features of the protocol that Terraform supports.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ClientCapabilities = message(() => ({
  deferralAllowed: field.bool(1),
  writeOnlyAttributesAllowed: field.bool(2),
}));
/**
 * A decoded {@link ClientCapabilities} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ClientCapabilities = Decoded<typeof ClientCapabilities>;

/**
 * The optional features of the protocol that the provider supports.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ServerCapabilities = message(() => ({
  planDestroy: field.bool(1),
  getProviderSchemaOptional: field.bool(2),
  moveResourceState: field.bool(3),
}));
/**
 * A decoded {@link ServerCapabilities} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ServerCapabilities = Decoded<typeof ServerCapabilities>;
/**
 * The input for encoding {@link ServerCapabilities}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ServerCapabilitiesInit = Encodable<typeof ServerCapabilities>;

/**
 * Why the provider defers a change to a later plan.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const Deferred = message(() => ({
  reason: field.enum(1, {
    UNKNOWN: 0,
    RESOURCE_CONFIG_UNKNOWN: 1,
    PROVIDER_CONFIG_UNKNOWN: 2,
    ABSENT_PREREQ: 3,
  }),
}));
/**
 * A decoded {@link Deferred} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type Deferred = Decoded<typeof Deferred>;
/**
 * The input for encoding {@link Deferred}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */

/**
 * A point in time: seconds since the epoch, plus nanoseconds.
 *
 * @see {@link https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp}
 */
export const Timestamp = message(() => ({ seconds: field.int64(1), nanos: field.int64(2) }));
/**
 * A decoded {@link Timestamp} message.
 *
 * @see {@link https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp}
 */
export type Timestamp = Decoded<typeof Timestamp>;
