import { type Decoded, field, message } from "../protobuf/protobuf";
import { ResourceIdentityData } from "./tfplugin6-identity";
import {
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  RawState,
} from "./tfplugin6-value";

/**
 * Requests the state for an import ID.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ImportResourceStateRequest = message(() => ({
  typeName: field.string(1),
  id: field.string(2),
  clientCapabilities: field.message(3, () => ClientCapabilities),
  identity: field.message(4, () => ResourceIdentityData),
}));
/**
 * A decoded {@link ImportResourceStateRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ImportResourceStateRequest = Decoded<typeof ImportResourceStateRequest>;

/**
 * One imported resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ImportedResource = message(() => ({
  typeName: field.string(1),
  state: field.message(2, () => DynamicValue),
  private: field.bytes(3),
  identity: field.message(4, () => ResourceIdentityData),
}));
/**
 * A decoded {@link ImportedResource} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ImportedResource = Decoded<typeof ImportedResource>;

/**
 * The imported resources, which Terraform reads next.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ImportResourceStateResponse = message(() => ({
  importedResources: field.repeated(field.message(1, () => ImportedResource)),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  deferred: field.message(3, () => Deferred),
}));
/**
 * A decoded {@link ImportResourceStateResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ImportResourceStateResponse = Decoded<typeof ImportResourceStateResponse>;

/**
 * Requests the conversion of a state from another resource type.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const MoveResourceStateRequest = message(() => ({
  sourceProviderAddress: field.string(1),
  sourceTypeName: field.string(2),
  sourceSchemaVersion: field.int64(3),
  sourceState: field.message(4, () => RawState),
  targetTypeName: field.string(5),
  sourcePrivate: field.bytes(6),
  sourceIdentity: field.message(7, () => RawState),
  sourceIdentitySchemaVersion: field.int64(8),
}));
/**
 * A decoded {@link MoveResourceStateRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type MoveResourceStateRequest = Decoded<typeof MoveResourceStateRequest>;

/**
 * The converted state.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const MoveResourceStateResponse = message(() => ({
  targetState: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  targetPrivate: field.bytes(3),
  targetIdentity: field.message(4, () => ResourceIdentityData),
}));
/**
 * A decoded {@link MoveResourceStateResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type MoveResourceStateResponse = Decoded<typeof MoveResourceStateResponse>;
