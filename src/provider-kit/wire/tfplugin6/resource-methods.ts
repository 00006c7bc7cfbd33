import { field, message } from "../grpc/protobuf";
import { diagnostics, dynamicValue, identityData, problems, unary } from "./method";
import { AttributePath, ClientCapabilities, Deferred, RawState } from "./tfplugin6-value";

/** The procedures for the state of one resource. */
export const resourceMethods = {
  validateResourceConfig: unary(
    "ValidateResourceConfig",
    message(() => ({
      typeName: field.string(1),
      config: dynamicValue(2),
      clientCapabilities: field.message(3, () => ClientCapabilities),
    })),
    problems,
  ),
  /** Converts a stored state to the current version. */
  upgradeResourceState: unary(
    "UpgradeResourceState",
    message(() => ({
      typeName: field.string(1),
      version: field.int64(2),
      rawState: field.message(3, () => RawState),
    })),
    message(() => ({ upgradedState: dynamicValue(1), diagnostics: diagnostics(2) })),
  ),
  /** Converts a stored identity to the current version. */
  upgradeResourceIdentity: unary(
    "UpgradeResourceIdentity",
    message(() => ({
      typeName: field.string(1),
      version: field.int64(2),
      rawIdentity: field.message(3, () => RawState),
    })),
    message(() => ({ upgradedIdentity: identityData(1), diagnostics: diagnostics(2) })),
  ),
  readResource: unary(
    "ReadResource",
    message(() => ({
      typeName: field.string(1),
      currentState: dynamicValue(2),
      private: field.bytes(3),
      providerMeta: dynamicValue(4),
      clientCapabilities: field.message(5, () => ClientCapabilities),
      currentIdentity: identityData(6),
    })),
    message(() => ({
      newState: dynamicValue(1),
      diagnostics: diagnostics(2),
      private: field.bytes(3),
      deferred: field.message(4, () => Deferred),
      newIdentity: identityData(5),
    })),
  ),
  /** Plans a creation, an update, or (without a proposed state) a destruction. */
  planResourceChange: unary(
    "PlanResourceChange",
    message(() => ({
      typeName: field.string(1),
      priorState: dynamicValue(2),
      proposedNewState: dynamicValue(3),
      config: dynamicValue(4),
      priorPrivate: field.bytes(5),
      providerMeta: dynamicValue(6),
      clientCapabilities: field.message(7, () => ClientCapabilities),
      priorIdentity: identityData(8),
    })),
    message(() => ({
      plannedState: dynamicValue(1),
      requiresReplace: field.repeated(field.message(2, () => AttributePath)),
      plannedPrivate: field.bytes(3),
      diagnostics: diagnostics(4),
      legacyTypeSystem: field.bool(5),
      deferred: field.message(6, () => Deferred),
      plannedIdentity: identityData(7),
    })),
  ),
  applyResourceChange: unary(
    "ApplyResourceChange",
    message(() => ({
      typeName: field.string(1),
      priorState: dynamicValue(2),
      plannedState: dynamicValue(3),
      config: dynamicValue(4),
      plannedPrivate: field.bytes(5),
      providerMeta: dynamicValue(6),
      plannedIdentity: identityData(7),
    })),
    message(() => ({
      newState: dynamicValue(1),
      private: field.bytes(2),
      diagnostics: diagnostics(3),
      legacyTypeSystem: field.bool(4),
      newIdentity: identityData(5),
    })),
  ),
  /** Converts an import ID, or an identity, to states, which Terraform reads next. */
  importResourceState: unary(
    "ImportResourceState",
    message(() => ({
      typeName: field.string(1),
      id: field.string(2),
      clientCapabilities: field.message(3, () => ClientCapabilities),
      identity: identityData(4),
    })),
    message(() => ({
      importedResources: field.repeated(field.message(1, () => ImportedResource)),
      diagnostics: diagnostics(2),
      deferred: field.message(3, () => Deferred),
    })),
  ),
  /** Converts a state from another resource type. */
  moveResourceState: unary(
    "MoveResourceState",
    message(() => ({
      sourceProviderAddress: field.string(1),
      sourceTypeName: field.string(2),
      sourceSchemaVersion: field.int64(3),
      sourceState: field.message(4, () => RawState),
      targetTypeName: field.string(5),
      sourcePrivate: field.bytes(6),
      sourceIdentity: field.message(7, () => RawState),
      sourceIdentitySchemaVersion: field.int64(8),
    })),
    message(() => ({
      targetState: dynamicValue(1),
      diagnostics: diagnostics(2),
      targetPrivate: field.bytes(3),
      targetIdentity: identityData(4),
    })),
  ),
} as const;

const ImportedResource = message(() => ({
  typeName: field.string(1),
  state: dynamicValue(2),
  private: field.bytes(3),
  identity: identityData(4),
}));
