import type { Method } from "./method";
import type { Message } from "../protobuf/protobuf";
import * as action from "./tfplugin6-action";
import * as data from "./tfplugin6-data";
import * as identity from "./tfplugin6-identity";
import * as imports from "./tfplugin6-import";
import * as list from "./tfplugin6-list";
import * as metadata from "./tfplugin6-metadata";
import * as provider from "./tfplugin6-provider";
import * as resource from "./tfplugin6-resource";

export * from "./tfplugin6-action";
export * from "./tfplugin6-data";
export * from "./tfplugin6-identity";
export * from "./tfplugin6-import";
export * from "./tfplugin6-list";
export * from "./tfplugin6-metadata";
export * from "./tfplugin6-provider";
export * from "./tfplugin6-resource";
export * from "./tfplugin6-schema";
export * from "./tfplugin6-value";

function method<Request extends Message<unknown>, Response extends Message<unknown>>(
  name: string,
  request: Request,
  response: Response,
): Method<Request, Response, "unary"> {
  return { path: `/tfplugin6.Provider/${name}`, kind: "unary", request, response };
}

function streamed<Request extends Message<unknown>, Event extends Message<unknown>>(
  name: string,
  request: Request,
  event: Event,
): Method<Request, Event, "serverStream"> {
  return { path: `/tfplugin6.Provider/${name}`, kind: "serverStream", request, response: event };
}

/**
 * The procedures of Terraform's plugin protocol 6: the service `Provider`.
 *
 * @see
 * {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const providerMethods = {
  getMetadata: method("GetMetadata", metadata.GetMetadataRequest, metadata.GetMetadataResponse),
  getProviderSchema: method(
    "GetProviderSchema",
    provider.GetProviderSchemaRequest,
    provider.GetProviderSchemaResponse,
  ),
  validateProviderConfig: method(
    "ValidateProviderConfig",
    provider.ValidateProviderConfigRequest,
    provider.ValidateProviderConfigResponse,
  ),
  configureProvider: method(
    "ConfigureProvider",
    provider.ConfigureProviderRequest,
    provider.ConfigureProviderResponse,
  ),
  validateResourceConfig: method(
    "ValidateResourceConfig",
    resource.ValidateResourceConfigRequest,
    resource.ValidateResourceConfigResponse,
  ),
  upgradeResourceState: method(
    "UpgradeResourceState",
    resource.UpgradeResourceStateRequest,
    resource.UpgradeResourceStateResponse,
  ),
  getResourceIdentitySchemas: method(
    "GetResourceIdentitySchemas",
    identity.GetResourceIdentitySchemasRequest,
    identity.GetResourceIdentitySchemasResponse,
  ),
  upgradeResourceIdentity: method(
    "UpgradeResourceIdentity",
    identity.UpgradeResourceIdentityRequest,
    identity.UpgradeResourceIdentityResponse,
  ),
  readResource: method("ReadResource", resource.ReadResourceRequest, resource.ReadResourceResponse),
  planResourceChange: method(
    "PlanResourceChange",
    resource.PlanResourceChangeRequest,
    resource.PlanResourceChangeResponse,
  ),
  applyResourceChange: method(
    "ApplyResourceChange",
    resource.ApplyResourceChangeRequest,
    resource.ApplyResourceChangeResponse,
  ),
  importResourceState: method(
    "ImportResourceState",
    imports.ImportResourceStateRequest,
    imports.ImportResourceStateResponse,
  ),
  moveResourceState: method(
    "MoveResourceState",
    imports.MoveResourceStateRequest,
    imports.MoveResourceStateResponse,
  ),
  validateDataResourceConfig: method(
    "ValidateDataResourceConfig",
    data.ValidateDataResourceConfigRequest,
    data.ValidateDataResourceConfigResponse,
  ),
  readDataSource: method("ReadDataSource", data.ReadDataSourceRequest, data.ReadDataSourceResponse),
  validateEphemeralResourceConfig: method(
    "ValidateEphemeralResourceConfig",
    data.ValidateEphemeralResourceConfigRequest,
    data.ValidateEphemeralResourceConfigResponse,
  ),
  openEphemeralResource: method(
    "OpenEphemeralResource",
    data.OpenEphemeralResourceRequest,
    data.OpenEphemeralResourceResponse,
  ),
  renewEphemeralResource: method(
    "RenewEphemeralResource",
    data.RenewEphemeralResourceRequest,
    data.RenewEphemeralResourceResponse,
  ),
  closeEphemeralResource: method(
    "CloseEphemeralResource",
    data.CloseEphemeralResourceRequest,
    data.CloseEphemeralResourceResponse,
  ),
  validateListResourceConfig: method(
    "ValidateListResourceConfig",
    list.ValidateListResourceConfigRequest,
    list.ValidateListResourceConfigResponse,
  ),
  listResource: streamed("ListResource", list.ListResourceRequest, list.ListResourceEvent),
  validateActionConfig: method(
    "ValidateActionConfig",
    action.ValidateActionConfigRequest,
    action.ValidateActionConfigResponse,
  ),
  planAction: method("PlanAction", action.PlanActionRequest, action.PlanActionResponse),
  invokeAction: streamed("InvokeAction", action.InvokeActionRequest, action.InvokeActionEvent),
  getFunctions: method("GetFunctions", provider.GetFunctionsRequest, provider.GetFunctionsResponse),
  callFunction: method("CallFunction", provider.CallFunctionRequest, provider.CallFunctionResponse),
  stopProvider: method("StopProvider", provider.StopProviderRequest, provider.StopProviderResponse),
} as const;
