import { type Decoded, type Encodable, field, message } from "../grpc/protobuf";
import { problems, serverStream, unary, resourceMethods } from "./resource-methods";
import {
  ActionSchema,
  FunctionSignature,
  ResourceIdentitySchema,
  Schema,
} from "./tfplugin6-schema";
import {
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  FunctionError,
  ResourceIdentityData,
  ServerCapabilities,
  Timestamp,
} from "./tfplugin6-value";

export type * from "./tfplugin6-schema";
export type * from "./tfplugin6-value";

const nothing = message(() => ({}));

const typedConfig = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
}));

const actionConfig = message(() => ({
  actionType: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));

const FunctionName = message(() => ({ name: field.string(1) }));

const Progress = message(() => ({ message: field.string(1) }));

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
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
      dataSources: field.repeated(field.message(3, () => TypeName)),
      resources: field.repeated(field.message(4, () => TypeName)),
      functions: field.repeated(field.message(5, () => FunctionName)),
      ephemeralResources: field.repeated(field.message(6, () => TypeName)),
      listResources: field.repeated(field.message(7, () => TypeName)),
      actions: field.repeated(field.message(9, () => TypeName)),
    })),
  ),
  getProviderSchema: unary(
    "GetProviderSchema",
    nothing,
    message(() => ({
      provider: field.message(1, () => Schema),
      resourceSchemas: schemas(2),
      dataSourceSchemas: schemas(3),
      diagnostics: field.repeated(field.message(4, () => Diagnostic)),
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
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
    })),
  ),
  getFunctions: unary(
    "GetFunctions",
    nothing,
    message(() => ({
      functions: functions(1),
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
    })),
  ),
  validateProviderConfig: unary(
    "ValidateProviderConfig",
    message(() => ({ config: field.message(1, () => DynamicValue) })),
    message(() => ({ diagnostics: field.repeated(field.message(2, () => Diagnostic)) })),
  ),
  /** Passes the settings to the provider, before any call that needs them. */
  configureProvider: unary(
    "ConfigureProvider",
    message(() => ({
      terraformVersion: field.string(1),
      config: field.message(2, () => DynamicValue),
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
      arguments: field.repeated(field.message(2, () => DynamicValue)),
    })),
    message(() => ({
      result: field.message(1, () => DynamicValue),
      error: field.message(2, () => FunctionError),
    })),
  ),
  ...resourceMethods,
  validateDataResourceConfig: unary("ValidateDataResourceConfig", typedConfig, problems),
  readDataSource: unary(
    "ReadDataSource",
    message(() => ({
      typeName: field.string(1),
      config: field.message(2, () => DynamicValue),
      providerMeta: field.message(3, () => DynamicValue),
      clientCapabilities: field.message(4, () => ClientCapabilities),
    })),
    message(() => ({
      state: field.message(1, () => DynamicValue),
      diagnostics: field.repeated(field.message(2, () => Diagnostic)),
      deferred: field.message(3, () => Deferred),
    })),
  ),
  validateEphemeralResourceConfig: unary("ValidateEphemeralResourceConfig", typedConfig, problems),
  openEphemeralResource: unary(
    "OpenEphemeralResource",
    message(() => ({
      typeName: field.string(1),
      config: field.message(2, () => DynamicValue),
      clientCapabilities: field.message(3, () => ClientCapabilities),
    })),
    message(() => ({
      diagnostics: field.repeated(field.message(1, () => Diagnostic)),
      renewAt: field.message(2, () => Timestamp),
      result: field.message(3, () => DynamicValue),
      private: field.optional(field.bytes(4)),
      deferred: field.message(5, () => Deferred),
    })),
  ),
  renewEphemeralResource: unary(
    "RenewEphemeralResource",
    message(() => ({ typeName: field.string(1), private: field.optional(field.bytes(2)) })),
    message(() => ({
      diagnostics: field.repeated(field.message(1, () => Diagnostic)),
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
      config: field.message(2, () => DynamicValue),
      includeResourceObject: field.message(3, () => DynamicValue),
      limit: field.message(4, () => DynamicValue),
    })),
    problems,
  ),
  /** Lists resources that exist. Each event has one of them, or diagnostics. */
  listResource: serverStream(
    "ListResource",
    message(() => ({
      typeName: field.string(1),
      config: field.message(2, () => DynamicValue),
      includeResourceObject: field.bool(3),
      limit: field.int64(4),
    })),
    message(() => ({
      identity: field.message(1, () => ResourceIdentityData),
      displayName: field.string(2),
      resourceObject: field.message(3, () => DynamicValue),
      diagnostic: field.repeated(field.message(4, () => Diagnostic)),
    })),
  ),
  validateActionConfig: unary("ValidateActionConfig", typedConfig, problems),
  planAction: unary(
    "PlanAction",
    actionConfig,
    message(() => ({
      diagnostics: field.repeated(field.message(1, () => Diagnostic)),
      deferred: field.message(2, () => Deferred),
    })),
  ),
  /** Runs an action. Each event has either progress, a message for the user, or the end. */
  invokeAction: serverStream(
    "InvokeAction",
    actionConfig,
    message(() => ({
      progress: field.message(1, () => Progress),
      completed: field.message(2, () => problems),
    })),
  ),
} as const;

type Methods = typeof providerMethods;

/** The request of a procedure, as the provider receives it. */
export type RequestOf<Name extends keyof Methods> = Decoded<Methods[Name]["request"]>;

/** The response of a procedure, or one of its events, as the provider encodes it. */
export type ResponseInitOf<Name extends keyof Methods> = Encodable<Methods[Name]["response"]>;
