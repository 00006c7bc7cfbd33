import { type Decoded, type Encodable, field, message } from "../grpc/protobuf";
import { diagnostics, dynamicValue, identityData, problems, serverStream, unary } from "./method";
import { resourceMethods } from "./resource-methods";
import {
  ActionSchema,
  FunctionSignature,
  ResourceIdentitySchema,
  Schema,
} from "./tfplugin6-schema";
import {
  ClientCapabilities,
  Deferred,
  FunctionError,
  ServerCapabilities,
  Timestamp,
} from "./tfplugin6-value";

export type * from "./tfplugin6-schema";
export type * from "./tfplugin6-value";

const nothing = message(() => ({}));

const typedConfig = message(() => ({ typeName: field.string(1), config: dynamicValue(2) }));

const actionConfig = message(() => ({
  actionType: field.string(1),
  config: dynamicValue(2),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));

const named = message(() => ({ name: field.string(1) }));

const typeNames = (number: number) => field.repeated(field.message(number, () => TypeName));
const TypeName = message(() => ({ typeName: field.string(1) }));

const schemas = (number: number) =>
  field.map(
    number,
    field.message(2, () => Schema),
  );
const functions = (number: number) =>
  field.map(
    number,
    field.message(2, () => FunctionSignature),
  );

/**
 * The procedures of Terraform's plugin protocol 6: the service `Provider`.
 *
 * @see
 * {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const providerMethods = {
  /** Lists everything that the provider offers, without schemas. */
  getMetadata: unary(
    "GetMetadata",
    nothing,
    message(() => ({
      serverCapabilities: field.message(1, () => ServerCapabilities),
      diagnostics: diagnostics(2),
      dataSources: typeNames(3),
      resources: typeNames(4),
      functions: field.repeated(field.message(5, () => named)),
      ephemeralResources: typeNames(6),
      listResources: typeNames(7),
      actions: typeNames(9),
    })),
  ),
  getProviderSchema: unary(
    "GetProviderSchema",
    nothing,
    message(() => ({
      provider: field.message(1, () => Schema),
      resourceSchemas: schemas(2),
      dataSourceSchemas: schemas(3),
      diagnostics: diagnostics(4),
      providerMeta: field.message(5, () => Schema),
      serverCapabilities: field.message(6, () => ServerCapabilities),
      functions: functions(7),
      ephemeralResourceSchemas: schemas(8),
      listResourceSchemas: schemas(9),
      actionSchemas: field.map(
        11,
        field.message(2, () => ActionSchema),
      ),
    })),
  ),
  getResourceIdentitySchemas: unary(
    "GetResourceIdentitySchemas",
    nothing,
    message(() => ({
      identitySchemas: field.map(
        1,
        field.message(2, () => ResourceIdentitySchema),
      ),
      diagnostics: diagnostics(2),
    })),
  ),
  getFunctions: unary(
    "GetFunctions",
    nothing,
    message(() => ({ functions: functions(1), diagnostics: diagnostics(2) })),
  ),
  validateProviderConfig: unary(
    "ValidateProviderConfig",
    message(() => ({ config: dynamicValue(1) })),
    message(() => ({ diagnostics: diagnostics(2) })),
  ),
  /** Passes the settings to the provider, before any call that needs them. */
  configureProvider: unary(
    "ConfigureProvider",
    message(() => ({
      terraformVersion: field.string(1),
      config: dynamicValue(2),
      clientCapabilities: field.message(3, () => ClientCapabilities),
    })),
    problems,
  ),
  stopProvider: unary(
    "StopProvider",
    nothing,
    message(() => ({ error: field.string(1) })),
  ),
  callFunction: unary(
    "CallFunction",
    message(() => ({
      name: field.string(1),
      arguments: field.repeated(dynamicValue(2)),
    })),
    message(() => ({ result: dynamicValue(1), error: field.message(2, () => FunctionError) })),
  ),
  ...resourceMethods,
  validateDataResourceConfig: unary("ValidateDataResourceConfig", typedConfig, problems),
  readDataSource: unary(
    "ReadDataSource",
    message(() => ({
      typeName: field.string(1),
      config: dynamicValue(2),
      providerMeta: dynamicValue(3),
      clientCapabilities: field.message(4, () => ClientCapabilities),
    })),
    message(() => ({
      state: dynamicValue(1),
      diagnostics: diagnostics(2),
      deferred: field.message(3, () => Deferred),
    })),
  ),
  validateEphemeralResourceConfig: unary("ValidateEphemeralResourceConfig", typedConfig, problems),
  openEphemeralResource: unary(
    "OpenEphemeralResource",
    message(() => ({
      typeName: field.string(1),
      config: dynamicValue(2),
      clientCapabilities: field.message(3, () => ClientCapabilities),
    })),
    message(() => ({
      diagnostics: diagnostics(1),
      renewAt: field.message(2, () => Timestamp),
      result: dynamicValue(3),
      private: field.optional(field.bytes(4)),
      deferred: field.message(5, () => Deferred),
    })),
  ),
  renewEphemeralResource: unary(
    "RenewEphemeralResource",
    message(() => ({ typeName: field.string(1), private: field.optional(field.bytes(2)) })),
    message(() => ({
      diagnostics: diagnostics(1),
      renewAt: field.message(2, () => Timestamp),
      private: field.optional(field.bytes(3)),
    })),
  ),
  closeEphemeralResource: unary(
    "CloseEphemeralResource",
    message(() => ({ typeName: field.string(1), private: field.optional(field.bytes(2)) })),
    problems,
  ),
  validateListResourceConfig: unary(
    "ValidateListResourceConfig",
    message(() => ({
      typeName: field.string(1),
      config: dynamicValue(2),
      includeResourceObject: dynamicValue(3),
      limit: dynamicValue(4),
    })),
    problems,
  ),
  /** Lists resources that exist. Each event has one of them, or diagnostics. */
  listResource: serverStream(
    "ListResource",
    message(() => ({
      typeName: field.string(1),
      config: dynamicValue(2),
      includeResourceObject: field.bool(3),
      limit: field.int64(4),
    })),
    message(() => ({
      identity: identityData(1),
      displayName: field.string(2),
      resourceObject: dynamicValue(3),
      diagnostic: diagnostics(4),
    })),
  ),
  validateActionConfig: unary("ValidateActionConfig", typedConfig, problems),
  planAction: unary(
    "PlanAction",
    actionConfig,
    message(() => ({ diagnostics: diagnostics(1), deferred: field.message(2, () => Deferred) })),
  ),
  /** Runs an action. Each event has either progress, a message for the user, or the end. */
  invokeAction: serverStream(
    "InvokeAction",
    actionConfig,
    message(() => ({
      progress: field.message(1, () => progress),
      completed: field.message(2, () => problems),
    })),
  ),
} as const;

const progress = message(() => ({ message: field.string(1) }));

type Methods = typeof providerMethods;

/** The request of a procedure, as the provider receives it. */
export type RequestOf<Name extends keyof Methods> = Decoded<Methods[Name]["request"]>;

/** The response of a procedure, or one of its events, as the provider encodes it. */
export type ResponseInitOf<Name extends keyof Methods> = Encodable<Methods[Name]["response"]>;
