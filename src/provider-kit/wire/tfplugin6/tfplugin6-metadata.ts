import { type Decoded, field, message } from "../protobuf/protobuf";
import { ActionMetadata } from "./tfplugin6-action";
import { Diagnostic, ServerCapabilities } from "./tfplugin6-value";

/**
 * Requests the names of everything that the provider offers.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetMetadataRequest = message(() => ({}));
/**
 * A decoded {@link GetMetadataRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetMetadataRequest = Decoded<typeof GetMetadataRequest>;

/**
 * The type name of a data source.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const DataSourceMetadata = message(() => ({
  typeName: field.string(1),
}));
/**
 * A decoded {@link DataSourceMetadata} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type DataSourceMetadata = Decoded<typeof DataSourceMetadata>;

/**
 * The type name of a resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ResourceMetadata = message(() => ({
  typeName: field.string(1),
}));
/**
 * A decoded {@link ResourceMetadata} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ResourceMetadata = Decoded<typeof ResourceMetadata>;

/**
 * The name of a function.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const FunctionMetadata = message(() => ({
  name: field.string(1),
}));
/**
 * A decoded {@link FunctionMetadata} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type FunctionMetadata = Decoded<typeof FunctionMetadata>;

/**
 * The type name of an ephemeral resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const EphemeralResourceMetadata = message(() => ({
  typeName: field.string(1),
}));
/**
 * A decoded {@link EphemeralResourceMetadata} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type EphemeralResourceMetadata = Decoded<typeof EphemeralResourceMetadata>;

/**
 * The type name of a list of resources.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ListResourceMetadata = message(() => ({
  typeName: field.string(1),
}));
/**
 * A decoded {@link ListResourceMetadata} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ListResourceMetadata = Decoded<typeof ListResourceMetadata>;

/**
 * The names of everything that the provider offers, without schemas.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetMetadataResponse = message(() => ({
  serverCapabilities: field.message(1, () => ServerCapabilities),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
  dataSources: field.repeated(field.message(3, () => DataSourceMetadata)),
  resources: field.repeated(field.message(4, () => ResourceMetadata)),
  functions: field.repeated(field.message(5, () => FunctionMetadata)),
  ephemeralResources: field.repeated(field.message(6, () => EphemeralResourceMetadata)),
  listResources: field.repeated(field.message(7, () => ListResourceMetadata)),
  actions: field.repeated(field.message(9, () => ActionMetadata)),
}));
/**
 * A decoded {@link GetMetadataResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetMetadataResponse = Decoded<typeof GetMetadataResponse>;
