import { type Decoded, field, message } from "../protobuf/protobuf";
import { ActionSchema } from "./tfplugin6-action";
import { FunctionSignature, Schema } from "./tfplugin6-schema";
import {
  ClientCapabilities,
  Diagnostic,
  DynamicValue,
  FunctionError,
  ServerCapabilities,
} from "./tfplugin6-value";

/**
 * Requests all schemas of the provider.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetProviderSchemaRequest = message(() => ({}));
/**
 * A decoded {@link GetProviderSchemaRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetProviderSchemaRequest = Decoded<typeof GetProviderSchemaRequest>;

/**
 * The schemas of the provider, its resources, data sources and functions.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetProviderSchemaResponse = message(() => ({
  provider: field.message(1, () => Schema),
  resourceSchemas: field.map(
    2,
    field.message(2, () => Schema),
  ),
  dataSourceSchemas: field.map(
    3,
    field.message(2, () => Schema),
  ),
  diagnostics: field.repeated(field.message(4, () => Diagnostic)),
  providerMeta: field.message(5, () => Schema),
  serverCapabilities: field.message(6, () => ServerCapabilities),
  functions: field.map(
    7,
    field.message(2, () => FunctionSignature),
  ),
  ephemeralResourceSchemas: field.map(
    8,
    field.message(2, () => Schema),
  ),
  listResourceSchemas: field.map(
    9,
    field.message(2, () => Schema),
  ),
  actionSchemas: field.map(
    11,
    field.message(2, () => ActionSchema),
  ),
}));
/**
 * A decoded {@link GetProviderSchemaResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetProviderSchemaResponse = Decoded<typeof GetProviderSchemaResponse>;

/**
 * Requests a check of the provider's settings.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateProviderConfigRequest = message(() => ({
  config: field.message(1, () => DynamicValue),
}));
/**
 * A decoded {@link ValidateProviderConfigRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateProviderConfigRequest = Decoded<typeof ValidateProviderConfigRequest>;

/**
 * The problems in the provider's settings.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateProviderConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
/**
 * A decoded {@link ValidateProviderConfigResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateProviderConfigResponse = Decoded<typeof ValidateProviderConfigResponse>;

/**
 * Passes the settings to the provider, before any call that needs them.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ConfigureProviderRequest = message(() => ({
  terraformVersion: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
/**
 * A decoded {@link ConfigureProviderRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ConfigureProviderRequest = Decoded<typeof ConfigureProviderRequest>;

/**
 * The problems that occurred during the configuration of the provider.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ConfigureProviderResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link ConfigureProviderResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ConfigureProviderResponse = Decoded<typeof ConfigureProviderResponse>;

/**
 * Requests the signatures of the provider's functions.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetFunctionsRequest = message(() => ({}));
/**
 * A decoded {@link GetFunctionsRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetFunctionsRequest = Decoded<typeof GetFunctionsRequest>;

/**
 * The signatures of the provider's functions, by name.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetFunctionsResponse = message(() => ({
  functions: field.map(
    1,
    field.message(2, () => FunctionSignature),
  ),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
/**
 * A decoded {@link GetFunctionsResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetFunctionsResponse = Decoded<typeof GetFunctionsResponse>;

/**
 * Calls a function.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const CallFunctionRequest = message(() => ({
  name: field.string(1),
  arguments: field.repeated(field.message(2, () => DynamicValue)),
}));
/**
 * A decoded {@link CallFunctionRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type CallFunctionRequest = Decoded<typeof CallFunctionRequest>;

/**
 * The result of a function, or its error.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const CallFunctionResponse = message(() => ({
  result: field.message(1, () => DynamicValue),
  error: field.message(2, () => FunctionError),
}));
/**
 * A decoded {@link CallFunctionResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type CallFunctionResponse = Decoded<typeof CallFunctionResponse>;

/**
 * Asks the provider to end running operations soon.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const StopProviderRequest = message(() => ({}));
/**
 * A decoded {@link StopProviderRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type StopProviderRequest = Decoded<typeof StopProviderRequest>;

/**
 * The result of stopping the provider; `error` is empty on success.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const StopProviderResponse = message(() => ({
  error: field.string(1),
}));
/**
 * A decoded {@link StopProviderResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type StopProviderResponse = Decoded<typeof StopProviderResponse>;
