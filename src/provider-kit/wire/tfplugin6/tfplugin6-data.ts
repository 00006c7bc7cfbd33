import { type Decoded, field, message } from "../protobuf/protobuf";
import {
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  Timestamp,
} from "./tfplugin6-value";

export const ValidateDataResourceConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
}));
export type ValidateDataResourceConfigRequest = Decoded<typeof ValidateDataResourceConfigRequest>;

export const ValidateDataResourceConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
export type ValidateDataResourceConfigResponse = Decoded<typeof ValidateDataResourceConfigResponse>;

export const ReadDataSourceRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  providerMeta: field.message(3, () => DynamicValue),
  clientCapabilities: field.message(4, () => ClientCapabilities),
}));
export type ReadDataSourceRequest = Decoded<typeof ReadDataSourceRequest>;

export const ReadDataSourceResponse = message(() => ({
  state: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  deferred: field.message(3, () => Deferred),
}));
export type ReadDataSourceResponse = Decoded<typeof ReadDataSourceResponse>;

export const ValidateEphemeralResourceConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
}));
export type ValidateEphemeralResourceConfigRequest = Decoded<
  typeof ValidateEphemeralResourceConfigRequest
>;

export const ValidateEphemeralResourceConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
export type ValidateEphemeralResourceConfigResponse = Decoded<
  typeof ValidateEphemeralResourceConfigResponse
>;

export const OpenEphemeralResourceRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
export type OpenEphemeralResourceRequest = Decoded<typeof OpenEphemeralResourceRequest>;

export const OpenEphemeralResourceResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
  renewAt: field.message(2, () => Timestamp),
  result: field.message(3, () => DynamicValue),
  private: field.optional(field.bytes(4)),
  deferred: field.message(5, () => Deferred),
}));
export type OpenEphemeralResourceResponse = Decoded<typeof OpenEphemeralResourceResponse>;

export const RenewEphemeralResourceRequest = message(() => ({
  typeName: field.string(1),
  private: field.optional(field.bytes(2)),
}));
export type RenewEphemeralResourceRequest = Decoded<typeof RenewEphemeralResourceRequest>;

export const RenewEphemeralResourceResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
  renewAt: field.message(2, () => Timestamp),
  private: field.optional(field.bytes(3)),
}));
export type RenewEphemeralResourceResponse = Decoded<typeof RenewEphemeralResourceResponse>;

export const CloseEphemeralResourceRequest = message(() => ({
  typeName: field.string(1),
  private: field.optional(field.bytes(2)),
}));
export type CloseEphemeralResourceRequest = Decoded<typeof CloseEphemeralResourceRequest>;

export const CloseEphemeralResourceResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
export type CloseEphemeralResourceResponse = Decoded<typeof CloseEphemeralResourceResponse>;
