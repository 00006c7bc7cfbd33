import type { ProviderHost } from "../../host/connection/provider-grpc";
import { type Route, type Routes, serverStream, unary } from "../../wire/grpc/grpc-route";
import type { Method, RequestOf, ResponseInitOf } from "../../wire/tfplugin6/method";
import {
  providerMethods as methods,
  type providerMethods,
  type StopProviderRequest,
} from "../../wire/tfplugin6/tfplugin6";
import type { ErasedProvider } from "../provider-definition";
import { Session } from "../session";
import { applyResourceChange } from "./apply-resource-change";
import { callFunction } from "./call-function";
import type { Call, Diagnosed } from "./call";
import { configureProvider } from "./configure-provider";
import {
  closeEphemeralResource,
  openEphemeralResource,
  renewEphemeralResource,
} from "./ephemeral-resource";
import {
  getFunctions,
  getMetadata,
  getProviderSchema,
  getResourceIdentitySchemas,
} from "./get-provider-schema";
import { importResourceState } from "./import-resource-state";
import { invokeAction, planAction } from "./action";
import { listResource } from "./list-resource";
import { moveResourceState, upgradeResourceState, upgradeResourceIdentity } from "./stored-state";
import { planResourceChange } from "./plan-resource-change";
import { readDataSource, readResource } from "./read";
import {
  validateActionConfig,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  validateListResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./validate-config";

/**
 * Creates the routes that serve a provider's calls.
 *
 * @param env the environment that provides settings which the configuration omits @default
 *   process.env
 */
export function providerRoutes<Client>(
  definition: ErasedProvider<Client>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): (host: ProviderHost) => Routes {
  return ({ logger }) => {
    const session = new Session(definition, env, logger);
    const censored = (response: Diagnosed): Diagnosed =>
      (response.diagnostics ?? []).length === 0
        ? response
        : { ...response, diagnostics: response.diagnostics?.map(session.secrets.censor) };
    const route = <M extends Method>(
      method: M,
      call: Call<RequestOf<M>, ResponseInitOf<M>>,
    ): readonly [string, Route] =>
      unary(method as never, (request: never, context) => {
        // Only the diagnostics are used here, whatever the type of the response.
        const response = call(session, request, context) as Diagnosed | Promise<Diagnosed>;
        const isLater = response instanceof Promise;
        return (isLater ? response.then(censored) : censored(response)) as never;
      });
    return new Map([
      route(methods.getMetadata, getMetadata),
      route(methods.getProviderSchema, getProviderSchema),
      route(methods.validateProviderConfig, validateProviderConfig),
      route(methods.configureProvider, configureProvider),
      route(methods.validateResourceConfig, validateResourceConfig),
      route(methods.validateDataResourceConfig, validateDataResourceConfig),
      route(methods.getResourceIdentitySchemas, getResourceIdentitySchemas),
      route(methods.upgradeResourceState, upgradeResourceState),
      route(methods.upgradeResourceIdentity, upgradeResourceIdentity),
      route(methods.readResource, readResource),
      route(methods.planResourceChange, planResourceChange),
      route(methods.applyResourceChange, applyResourceChange),
      route(methods.importResourceState, importResourceState),
      route(methods.moveResourceState, moveResourceState),
      route(methods.readDataSource, readDataSource),
      route(methods.validateEphemeralResourceConfig, validateEphemeralResourceConfig),
      route(methods.openEphemeralResource, openEphemeralResource),
      route(methods.renewEphemeralResource, renewEphemeralResource),
      route(methods.closeEphemeralResource, closeEphemeralResource),
      route(methods.validateListResourceConfig, validateListResourceConfig),
      serverStream(methods.listResource, (request, context) =>
        listResource(session, request, context),
      ),
      route(methods.validateActionConfig, validateActionConfig),
      route(methods.planAction, planAction),
      serverStream(methods.invokeAction, (request, context) =>
        invokeAction(session, request, context),
      ),
      route(methods.stopProvider, stopProvider),
      route(methods.getFunctions, getFunctions),
      route(methods.callFunction, callFunction),
    ]);
  };
}

/** Aborts the signals of all running operations. Each operation still returns its own response. */
const stopProvider: Call<
  StopProviderRequest,
  ResponseInitOf<typeof providerMethods.stopProvider>
> = (session) => {
  session.stop();
  return {};
};
