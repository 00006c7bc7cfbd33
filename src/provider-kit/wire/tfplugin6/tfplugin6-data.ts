import { type Decoded, field, message } from "../protobuf/protobuf";
import {
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  Timestamp,
} from "./tfplugin6-value";

/**
 * Requests a check of a data source's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateDataResourceConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
}));
/**
 * A decoded {@link ValidateDataResourceConfigRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateDataResourceConfigRequest = Decoded<typeof ValidateDataResourceConfigRequest>;

/**
 * The problems in a data source's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateDataResourceConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link ValidateDataResourceConfigResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateDataResourceConfigResponse = Decoded<typeof ValidateDataResourceConfigResponse>;

/**
 * Requests the state of a data source.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ReadDataSourceRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  providerMeta: field.message(3, () => DynamicValue),
  clientCapabilities: field.message(4, () => ClientCapabilities),
}));
/**
 * A decoded {@link ReadDataSourceRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ReadDataSourceRequest = Decoded<typeof ReadDataSourceRequest>;

/**
 * The state of a data source.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ReadDataSourceResponse = message(() => ({
  state: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  deferred: field.message(3, () => Deferred),
}));
/**
 * A decoded {@link ReadDataSourceResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ReadDataSourceResponse = Decoded<typeof ReadDataSourceResponse>;

/**
 * Requests a check of an ephemeral resource's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateEphemeralResourceConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
}));
/**
 * A decoded {@link ValidateEphemeralResourceConfigRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateEphemeralResourceConfigRequest = Decoded<
  typeof ValidateEphemeralResourceConfigRequest
>;

/**
 * The problems in an ephemeral resource's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateEphemeralResourceConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link ValidateEphemeralResourceConfigResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateEphemeralResourceConfigResponse = Decoded<
  typeof ValidateEphemeralResourceConfigResponse
>;

/**
 * Requests an ephemeral resource to be opened.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const OpenEphemeralResourceRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
/**
 * A decoded {@link OpenEphemeralResourceRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type OpenEphemeralResourceRequest = Decoded<typeof OpenEphemeralResourceRequest>;

/**
 * The result of an open ephemeral resource, and when to renew it.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const OpenEphemeralResourceResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
  renewAt: field.message(2, () => Timestamp),
  result: field.message(3, () => DynamicValue),
  private: field.optional(field.bytes(4)),
  deferred: field.message(5, () => Deferred),
}));
/**
 * A decoded {@link OpenEphemeralResourceResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type OpenEphemeralResourceResponse = Decoded<typeof OpenEphemeralResourceResponse>;

/**
 * Requests the renewal of an open ephemeral resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const RenewEphemeralResourceRequest = message(() => ({
  typeName: field.string(1),
  private: field.optional(field.bytes(2)),
}));
/**
 * A decoded {@link RenewEphemeralResourceRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type RenewEphemeralResourceRequest = Decoded<typeof RenewEphemeralResourceRequest>;

/**
 * When to renew the ephemeral resource again.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const RenewEphemeralResourceResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
  renewAt: field.message(2, () => Timestamp),
  private: field.optional(field.bytes(3)),
}));
/**
 * A decoded {@link RenewEphemeralResourceResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type RenewEphemeralResourceResponse = Decoded<typeof RenewEphemeralResourceResponse>;

/**
 * Requests an ephemeral resource to be closed.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const CloseEphemeralResourceRequest = message(() => ({
  typeName: field.string(1),
  private: field.optional(field.bytes(2)),
}));
/**
 * A decoded {@link CloseEphemeralResourceRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type CloseEphemeralResourceRequest = Decoded<typeof CloseEphemeralResourceRequest>;

/**
 * The problems that occurred when the ephemeral resource was closed.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const CloseEphemeralResourceResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link CloseEphemeralResourceResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type CloseEphemeralResourceResponse = Decoded<typeof CloseEphemeralResourceResponse>;
