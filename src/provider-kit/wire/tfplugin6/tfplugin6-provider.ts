import { type Decoded, field, message } from "../protobuf/protobuf";
import { FunctionSignature, Schema } from "./tfplugin6-schema";
import {
  ClientCapabilities,
  Diagnostic,
  DynamicValue,
  FunctionError,
  ServerCapabilities,
} from "./tfplugin6-value";

export const GetMetadataRequest = message(() => ({}));
export type GetMetadataRequest = Decoded<typeof GetMetadataRequest>;

export const DataSourceMetadata = message(() => ({
  typeName: field.string(1),
}));
export type DataSourceMetadata = Decoded<typeof DataSourceMetadata>;

export const ResourceMetadata = message(() => ({
  typeName: field.string(1),
}));
export type ResourceMetadata = Decoded<typeof ResourceMetadata>;

export const FunctionMetadata = message(() => ({
  name: field.string(1),
}));
export type FunctionMetadata = Decoded<typeof FunctionMetadata>;

export const EphemeralResourceMetadata = message(() => ({
  typeName: field.string(1),
}));
export type EphemeralResourceMetadata = Decoded<typeof EphemeralResourceMetadata>;

export const GetMetadataResponse = message(() => ({
  serverCapabilities: field.message(1, () => ServerCapabilities),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  dataSources: field.repeated(field.message(3, () => DataSourceMetadata)),
  resources: field.repeated(field.message(4, () => ResourceMetadata)),
  functions: field.repeated(field.message(5, () => FunctionMetadata)),
  ephemeralResources: field.repeated(field.message(6, () => EphemeralResourceMetadata)),
}));
export type GetMetadataResponse = Decoded<typeof GetMetadataResponse>;

export const GetProviderSchemaRequest = message(() => ({}));
export type GetProviderSchemaRequest = Decoded<typeof GetProviderSchemaRequest>;

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
}));
export type GetProviderSchemaResponse = Decoded<typeof GetProviderSchemaResponse>;

export const ValidateProviderConfigRequest = message(() => ({
  config: field.message(1, () => DynamicValue),
}));
export type ValidateProviderConfigRequest = Decoded<typeof ValidateProviderConfigRequest>;

export const ValidateProviderConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
export type ValidateProviderConfigResponse = Decoded<typeof ValidateProviderConfigResponse>;

export const ConfigureProviderRequest = message(() => ({
  terraformVersion: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
export type ConfigureProviderRequest = Decoded<typeof ConfigureProviderRequest>;

export const ConfigureProviderResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
export type ConfigureProviderResponse = Decoded<typeof ConfigureProviderResponse>;

export const GetFunctionsRequest = message(() => ({}));
export type GetFunctionsRequest = Decoded<typeof GetFunctionsRequest>;

export const GetFunctionsResponse = message(() => ({
  functions: field.map(
    1,
    field.message(2, () => FunctionSignature),
  ),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
export type GetFunctionsResponse = Decoded<typeof GetFunctionsResponse>;

export const CallFunctionRequest = message(() => ({
  name: field.string(1),
  arguments: field.repeated(field.message(2, () => DynamicValue)),
}));
export type CallFunctionRequest = Decoded<typeof CallFunctionRequest>;

export const CallFunctionResponse = message(() => ({
  result: field.message(1, () => DynamicValue),
  error: field.message(2, () => FunctionError),
}));
export type CallFunctionResponse = Decoded<typeof CallFunctionResponse>;

export const StopProviderRequest = message(() => ({}));
export type StopProviderRequest = Decoded<typeof StopProviderRequest>;

export const StopProviderResponse = message(() => ({
  error: field.string(1),
}));
export type StopProviderResponse = Decoded<typeof StopProviderResponse>;
