import { type Decoded, type Encodable, field, message } from "../protobuf/protobuf";
import { ResourceIdentityData } from "./tfplugin6-identity";
import { Diagnostic, DynamicValue } from "./tfplugin6-value";

/**
 * Requests a check of the configuration of a list of resources.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateListResourceConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  includeResourceObject: field.message(3, () => DynamicValue),
  limit: field.message(4, () => DynamicValue),
}));
/**
 * A decoded {@link ValidateListResourceConfigRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateListResourceConfigRequest = Decoded<typeof ValidateListResourceConfigRequest>;

/**
 * The problems in the configuration of a list of resources.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateListResourceConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link ValidateListResourceConfigResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateListResourceConfigResponse = Decoded<typeof ValidateListResourceConfigResponse>;

/**
 * Requests the resources that exist. `limit` is the greatest number of results.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ListResourceRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
  includeResourceObject: field.bool(3),
  limit: field.int64(4),
}));
/**
 * A decoded {@link ListResourceRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ListResourceRequest = Decoded<typeof ListResourceRequest>;

/**
 * One resource that exists, or diagnostics.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ListResourceEvent = message(() => ({
  identity: field.message(1, () => ResourceIdentityData),
  displayName: field.string(2),
  resourceObject: field.message(3, () => DynamicValue),
  diagnostic: field.repeated(field.message(4, () => Diagnostic)),
}));
/**
 * A decoded {@link ListResourceEvent} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ListResourceEvent = Decoded<typeof ListResourceEvent>;
/**
 * The input for encoding {@link ListResourceEvent}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ListResourceEventInit = Encodable<typeof ListResourceEvent>;
