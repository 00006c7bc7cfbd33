import { field, type Message, message } from "../grpc/protobuf";
import {
  AttributePath,
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  RawState,
  ResourceIdentityData,
} from "./tfplugin6-value";

/** A remote procedure: its HTTP/2 path and its message types. */
export interface Method<
  Request extends Message<unknown> = Message<unknown>,
  Response extends Message<unknown> = Message<unknown>,
  Kind extends MethodKind = MethodKind,
> {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly kind: Kind;
  readonly request: Request;
  readonly response: Response;
}

type MethodKind = "unary" | "serverStream" | "bidirectionalStream";

/** Defines a procedure of the service `Provider`. */
export const unary = <Request extends Message<unknown>, Response extends Message<unknown>>(
  name: string,
  request: Request,
  response: Response,
): Method<Request, Response, "unary"> => ({ path: pathOf(name), kind: "unary", request, response });

/** Defines a procedure of the service `Provider` that responds with any number of events. */
export const serverStream = <Request extends Message<unknown>, Event extends Message<unknown>>(
  name: string,
  request: Request,
  response: Event,
): Method<Request, Event, "serverStream"> => ({
  path: pathOf(name),
  kind: "serverStream",
  request,
  response,
});

const pathOf = (name: string): string => `/tfplugin6.Provider/${name}`;

export const problems = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));

/** The procedures for the state of one resource. */
export const resourceMethods = {
  validateResourceConfig: unary(
    "ValidateResourceConfig",
    message(() => ({
      typeName: field.string(1),
      config: field.message(2, () => DynamicValue),
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
    message(() => ({
      upgradedState: field.message(1, () => DynamicValue),
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
    })),
  ),
  /** Converts a stored identity to the current version. */
  upgradeResourceIdentity: unary(
    "UpgradeResourceIdentity",
    message(() => ({
      typeName: field.string(1),
      version: field.int64(2),
      rawIdentity: field.message(3, () => RawState),
    })),
    message(() => ({
      upgradedIdentity: field.message(1, () => ResourceIdentityData),
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
    })),
  ),
  readResource: unary(
    "ReadResource",
    message(() => ({
      typeName: field.string(1),
      currentState: field.message(2, () => DynamicValue),
      private: field.bytes(3),
      providerMeta: field.message(4, () => DynamicValue),
      clientCapabilities: field.message(5, () => ClientCapabilities),
      currentIdentity: field.message(6, () => ResourceIdentityData),
    })),
    message(() => ({
      newState: field.message(1, () => DynamicValue),
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
      private: field.bytes(3),
      deferred: field.message(4, () => Deferred),
      newIdentity: field.message(5, () => ResourceIdentityData),
    })),
  ),
  /** Plans a creation, an update, or (without a proposed state) a destruction. */
  planResourceChange: unary(
    "PlanResourceChange",
    message(() => ({
      typeName: field.string(1),
      priorState: field.message(2, () => DynamicValue),
      proposedNewState: field.message(3, () => DynamicValue),
      config: field.message(4, () => DynamicValue),
      priorPrivate: field.bytes(5),
      providerMeta: field.message(6, () => DynamicValue),
      clientCapabilities: field.message(7, () => ClientCapabilities),
      priorIdentity: field.message(8, () => ResourceIdentityData),
      /** The private data of the first plan, in the final plan of Terraform 1.16 and newer. */
      plannedPrivate: field.bytes(9),
    })),
    message(() => ({
      plannedState: field.message(1, () => DynamicValue),
      requiresReplace: field.repeated(field.message(2, () => AttributePath)),
      plannedPrivate: field.bytes(3),
      diagnostics: field.repeated(field.message(4, () => Diagnostic)),
      legacyTypeSystem: field.bool(5),
      deferred: field.message(6, () => Deferred),
      plannedIdentity: field.message(7, () => ResourceIdentityData),
    })),
  ),
  applyResourceChange: unary(
    "ApplyResourceChange",
    message(() => ({
      typeName: field.string(1),
      priorState: field.message(2, () => DynamicValue),
      plannedState: field.message(3, () => DynamicValue),
      config: field.message(4, () => DynamicValue),
      plannedPrivate: field.bytes(5),
      providerMeta: field.message(6, () => DynamicValue),
      plannedIdentity: field.message(7, () => ResourceIdentityData),
    })),
    message(() => ({
      newState: field.message(1, () => DynamicValue),
      private: field.bytes(2),
      diagnostics: field.repeated(field.message(3, () => Diagnostic)),
      legacyTypeSystem: field.bool(4),
      newIdentity: field.message(5, () => ResourceIdentityData),
    })),
  ),
  /** Converts an import ID, or an identity, to states, which Terraform reads next. */
  importResourceState: unary(
    "ImportResourceState",
    message(() => ({
      typeName: field.string(1),
      id: field.string(2),
      clientCapabilities: field.message(3, () => ClientCapabilities),
      identity: field.message(4, () => ResourceIdentityData),
    })),
    message(() => ({
      importedResources: field.repeated(field.message(1, () => ImportedResource)),
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
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
      targetState: field.message(1, () => DynamicValue),
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
      targetPrivate: field.bytes(3),
      targetIdentity: field.message(4, () => ResourceIdentityData),
    })),
  ),
} as const;

const ImportedResource = message(() => ({
  typeName: field.string(1),
  state: field.message(2, () => DynamicValue),
  private: field.bytes(3),
  identity: field.message(4, () => ResourceIdentityData),
}));
