import { type Decoded, type Encodable, field, message } from "../protobuf/protobuf";
import { Diagnostic, DynamicValue, RawState } from "./tfplugin6-value";

/**
 * The identity of a resource.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ResourceIdentityData = message(() => ({
  identityData: field.message(1, () => DynamicValue),
}));
/**
 * A decoded {@link ResourceIdentityData} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ResourceIdentityData = Decoded<typeof ResourceIdentityData>;
/**
 * The input for encoding {@link ResourceIdentityData}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ResourceIdentityDataInit = Encodable<typeof ResourceIdentityData>;

/**
 * One value of an identity. `type` is Terraform's JSON type descriptor.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const IdentityAttribute = message(() => ({
  name: field.string(1),
  type: field.bytes(2),
  requiredForImport: field.bool(3),
  optionalForImport: field.bool(4),
  description: field.string(5),
}));
/**
 * A decoded {@link IdentityAttribute} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type IdentityAttribute = Decoded<typeof IdentityAttribute>;

/**
 * The values that identify a resource. `version` is the version of the stored identity.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ResourceIdentitySchema = message(() => ({
  version: field.int64(1),
  identityAttributes: field.repeated(field.message(2, () => IdentityAttribute)),
}));
/**
 * A decoded {@link ResourceIdentitySchema} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ResourceIdentitySchema = Decoded<typeof ResourceIdentitySchema>;
/**
 * The input for encoding {@link ResourceIdentitySchema}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ResourceIdentitySchemaInit = Encodable<typeof ResourceIdentitySchema>;

/**
 * Requests the identity schemas of all resources that have one.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetResourceIdentitySchemasRequest = message(() => ({}));
/**
 * A decoded {@link GetResourceIdentitySchemasRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetResourceIdentitySchemasRequest = Decoded<typeof GetResourceIdentitySchemasRequest>;

/**
 * The identity schemas by resource type.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const GetResourceIdentitySchemasResponse = message(() => ({
  identitySchemas: field.map(
    1,
    field.message(2, () => ResourceIdentitySchema),
  ),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
/**
 * A decoded {@link GetResourceIdentitySchemasResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type GetResourceIdentitySchemasResponse = Decoded<typeof GetResourceIdentitySchemasResponse>;

/**
 * Requests the conversion of a stored identity to the current version.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const UpgradeResourceIdentityRequest = message(() => ({
  typeName: field.string(1),
  version: field.int64(2),
  rawIdentity: field.message(3, () => RawState),
}));
/**
 * A decoded {@link UpgradeResourceIdentityRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type UpgradeResourceIdentityRequest = Decoded<typeof UpgradeResourceIdentityRequest>;

/**
 * An identity in the current version.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const UpgradeResourceIdentityResponse = message(() => ({
  upgradedIdentity: field.message(1, () => ResourceIdentityData),
  diagnostics: field.repeated(field.message(2, () => Diagnostic)),
}));
/**
 * A decoded {@link UpgradeResourceIdentityResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type UpgradeResourceIdentityResponse = Decoded<typeof UpgradeResourceIdentityResponse>;
