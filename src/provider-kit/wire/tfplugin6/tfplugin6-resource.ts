import { type Decoded, field, message } from "../protobuf/protobuf";
import {
  AttributePath,
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  RawState,
} from "./tfplugin6-value";

export const ValidateResourceConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
export type ValidateResourceConfigRequest = Decoded<typeof ValidateResourceConfigRequest>;

export const ValidateResourceConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
export type ValidateResourceConfigResponse = Decoded<typeof ValidateResourceConfigResponse>;

export const UpgradeResourceStateRequest = message(() => ({
  typeName: field.string(1),
  version: field.int64(2),
  rawState: field.message(3, () => RawState),
}));
export type UpgradeResourceStateRequest = Decoded<typeof UpgradeResourceStateRequest>;

export const UpgradeResourceStateResponse = message(() => ({
  upgradedState: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
export type UpgradeResourceStateResponse = Decoded<typeof UpgradeResourceStateResponse>;

export const ReadResourceRequest = message(() => ({
  typeName: field.string(1),
  currentState: field.message(2, () => DynamicValue),
  private: field.bytes(3),
  providerMeta: field.message(4, () => DynamicValue),
  clientCapabilities: field.message(5, () => ClientCapabilities),
}));
export type ReadResourceRequest = Decoded<typeof ReadResourceRequest>;

export const ReadResourceResponse = message(() => ({
  newState: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  private: field.bytes(3),
  deferred: field.message(4, () => Deferred),
}));
export type ReadResourceResponse = Decoded<typeof ReadResourceResponse>;

export const PlanResourceChangeRequest = message(() => ({
  typeName: field.string(1),
  priorState: field.message(2, () => DynamicValue),
  proposedNewState: field.message(3, () => DynamicValue),
  config: field.message(4, () => DynamicValue),
  priorPrivate: field.bytes(5),
  providerMeta: field.message(6, () => DynamicValue),
  clientCapabilities: field.message(7, () => ClientCapabilities),
}));
export type PlanResourceChangeRequest = Decoded<typeof PlanResourceChangeRequest>;

export const PlanResourceChangeResponse = message(() => ({
  plannedState: field.message(1, () => DynamicValue),
  requiresReplace: field.repeated(field.message(2, () => AttributePath)),
  plannedPrivate: field.bytes(3),
  diagnostics: field.repeated(field.message(4, () => Diagnostic)),
  legacyTypeSystem: field.bool(5),
  deferred: field.message(6, () => Deferred),
}));
export type PlanResourceChangeResponse = Decoded<typeof PlanResourceChangeResponse>;

export const ApplyResourceChangeRequest = message(() => ({
  typeName: field.string(1),
  priorState: field.message(2, () => DynamicValue),
  plannedState: field.message(3, () => DynamicValue),
  config: field.message(4, () => DynamicValue),
  plannedPrivate: field.bytes(5),
  providerMeta: field.message(6, () => DynamicValue),
}));
export type ApplyResourceChangeRequest = Decoded<typeof ApplyResourceChangeRequest>;

export const ApplyResourceChangeResponse = message(() => ({
  newState: field.message(1, () => DynamicValue),
  private: field.bytes(2),
  diagnostics: field.repeated(field.message(3, () => Diagnostic)),
  legacyTypeSystem: field.bool(4),
}));
export type ApplyResourceChangeResponse = Decoded<typeof ApplyResourceChangeResponse>;

export const ImportResourceStateRequest = message(() => ({
  typeName: field.string(1),
  id: field.string(2),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
export type ImportResourceStateRequest = Decoded<typeof ImportResourceStateRequest>;

export const ImportedResource = message(() => ({
  typeName: field.string(1),
  state: field.message(2, () => DynamicValue),
  private: field.bytes(3),
}));
export type ImportedResource = Decoded<typeof ImportedResource>;

export const ImportResourceStateResponse = message(() => ({
  importedResources: field.repeated(field.message(1, () => ImportedResource)),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  deferred: field.message(3, () => Deferred),
}));
export type ImportResourceStateResponse = Decoded<typeof ImportResourceStateResponse>;

export const MoveResourceStateRequest = message(() => ({
  sourceProviderAddress: field.string(1),
  sourceTypeName: field.string(2),
  sourceSchemaVersion: field.int64(3),
  sourceState: field.message(4, () => RawState),
  targetTypeName: field.string(5),
  sourcePrivate: field.bytes(6),
}));
export type MoveResourceStateRequest = Decoded<typeof MoveResourceStateRequest>;

export const MoveResourceStateResponse = message(() => ({
  targetState: field.message(1, () => DynamicValue),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  targetPrivate: field.bytes(3),
}));
export type MoveResourceStateResponse = Decoded<typeof MoveResourceStateResponse>;
