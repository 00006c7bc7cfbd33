import { type Decoded, field, message } from "../protobuf/protobuf";
import { ResourceIdentityData } from "./tfplugin6-identity";
import {
  AttributePath,
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  RawState,
} from "./tfplugin6-value";

/**
 * Requests a check of a resource's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateResourceConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
/**
 * A decoded {@link ValidateResourceConfigRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateResourceConfigRequest = Decoded<typeof ValidateResourceConfigRequest>;

/**
 * The problems in a resource's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateResourceConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link ValidateResourceConfigResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateResourceConfigResponse = Decoded<typeof ValidateResourceConfigResponse>;

/**
 * Requests the conversion of a stored state to the current schema version.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const UpgradeResourceStateRequest = message(() => ({
  typeName: field.string(1),
  version: field.int64(2),
  rawState: field.message(3, () => RawState),
}));
/**
 * A decoded {@link UpgradeResourceStateRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type UpgradeResourceStateRequest = Decoded<typeof UpgradeResourceStateRequest>;

/**
 * The state in the current schema version.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const UpgradeResourceStateResponse = message(() => ({
  upgradedState: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
/**
 * A decoded {@link UpgradeResourceStateResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type UpgradeResourceStateResponse = Decoded<typeof UpgradeResourceStateResponse>;

/**
 * Requests the current state of a resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ReadResourceRequest = message(() => ({
  typeName: field.string(1),
  currentState: field.message(2, () => DynamicValue),
  private: field.bytes(3),
  providerMeta: field.message(4, () => DynamicValue),
  clientCapabilities: field.message(5, () => ClientCapabilities),
  currentIdentity: field.message(6, () => ResourceIdentityData),
}));
/**
 * A decoded {@link ReadResourceRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ReadResourceRequest = Decoded<typeof ReadResourceRequest>;

/**
 * The current state of a resource; null when it no longer exists.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ReadResourceResponse = message(() => ({
  newState: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  private: field.bytes(3),
  deferred: field.message(4, () => Deferred),
  newIdentity: field.message(5, () => ResourceIdentityData),
}));
/**
 * A decoded {@link ReadResourceResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ReadResourceResponse = Decoded<typeof ReadResourceResponse>;

/**
 * Requests the plan of a change. A null `proposedNewState` plans a destruction.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const PlanResourceChangeRequest = message(() => ({
  typeName: field.string(1),
  priorState: field.message(2, () => DynamicValue),
  proposedNewState: field.message(3, () => DynamicValue),
  config: field.message(4, () => DynamicValue),
  priorPrivate: field.bytes(5),
  providerMeta: field.message(6, () => DynamicValue),
  clientCapabilities: field.message(7, () => ClientCapabilities),
  priorIdentity: field.message(8, () => ResourceIdentityData),
}));
/**
 * A decoded {@link PlanResourceChangeRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type PlanResourceChangeRequest = Decoded<typeof PlanResourceChangeRequest>;

/**
 * The planned state, and the attributes whose change replaces the resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const PlanResourceChangeResponse = message(() => ({
  plannedState: field.message(1, () => DynamicValue),
  requiresReplace: field.repeated(field.message(2, () => AttributePath)),
  plannedPrivate: field.bytes(3),
  diagnostics: field.repeated(field.message(4, () => Diagnostic)),
  legacyTypeSystem: field.bool(5),
  deferred: field.message(6, () => Deferred),
  plannedIdentity: field.message(7, () => ResourceIdentityData),
}));
/**
 * A decoded {@link PlanResourceChangeResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type PlanResourceChangeResponse = Decoded<typeof PlanResourceChangeResponse>;

/**
 * Requests a planned change. A null `plannedState` destroys the resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ApplyResourceChangeRequest = message(() => ({
  typeName: field.string(1),
  priorState: field.message(2, () => DynamicValue),
  plannedState: field.message(3, () => DynamicValue),
  config: field.message(4, () => DynamicValue),
  plannedPrivate: field.bytes(5),
  providerMeta: field.message(6, () => DynamicValue),
  plannedIdentity: field.message(7, () => ResourceIdentityData),
}));
/**
 * A decoded {@link ApplyResourceChangeRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ApplyResourceChangeRequest = Decoded<typeof ApplyResourceChangeRequest>;

/**
 * The state after a change, even a failed one.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ApplyResourceChangeResponse = message(() => ({
  newState: field.message(1, () => DynamicValue),
  private: field.bytes(2),
  diagnostics: field.repeated(field.message(3, () => Diagnostic)),
  legacyTypeSystem: field.bool(4),
  newIdentity: field.message(5, () => ResourceIdentityData),
}));
/**
 * A decoded {@link ApplyResourceChangeResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ApplyResourceChangeResponse = Decoded<typeof ApplyResourceChangeResponse>;
