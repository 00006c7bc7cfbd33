import type { ProviderHost } from "../../host/connection/provider-grpc";
import type { Environment } from "../../records/logging";
import { type Routes, serverStream, unary } from "../../wire/grpc/grpc-route";
import { providerMethods as methods } from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import { checkTypes, type ErasedProvider } from "../provider-definition";
import { Deferral, deferredBy } from "../provider-error";
import { Session } from "../session";
import { invokeAction, planAction } from "./action";
import { type Call, type Diagnosed, diagnosed } from "./call";
import { callFunction } from "./call-function";
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
import { listResource } from "./list-resource";
import { readDataSource, readResource } from "./read";
import { applyResourceChange, planResourceChange } from "./resource-change";
import { moveResourceState, upgradeResourceIdentity, upgradeResourceState } from "./stored-state";
import {
  validateActionConfig,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  validateListResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./validate-config";

type UnaryName = Exclude<keyof typeof methods, "listResource" | "invokeAction">;

const configureProvider: Call<"configureProvider"> = (session, request, call) =>
  diagnosed(async () => {
    const { definition, env, log } = session;
    const compiled = session.compiled(definition.declaration);
    const config = compiled.decodeConfig(request.config);
    try {
      const client = await definition.configure(config, {
        env,
        log,
        terraformVersion: request.terraformVersion,
        signal: session.signal(call.signal),
      });
      session.configured(client);
      return {};
    } catch (error) {
      if (error instanceof Deferral && deferredBy(error, request.clientCapabilities)) {
        session.defer(error);
        return {};
      }
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });

const calls: { readonly [Name in UnaryName]: Call<Name> } = {
  getMetadata,
  getProviderSchema,
  getResourceIdentitySchemas,
  getFunctions,
  validateProviderConfig,
  configureProvider,
  /** Aborts the signals of all running operations. Each operation still returns its own response. */
  stopProvider: (session) => {
    session.stop();
    return {};
  },
  callFunction,
  validateResourceConfig,
  upgradeResourceState,
  upgradeResourceIdentity,
  readResource,
  planResourceChange,
  applyResourceChange,
  importResourceState,
  moveResourceState,
  validateDataResourceConfig,
  readDataSource,
  validateEphemeralResourceConfig,
  openEphemeralResource,
  renewEphemeralResource,
  closeEphemeralResource,
  validateListResourceConfig,
  validateActionConfig,
  planAction,
};

/**
 * Creates the routes that serve a provider's calls.
 *
 * @param env the environment that provides settings which the configuration omits @default
 *   process.env
 * @throws Error when two declarations of one kind have the same type
 */
export function providerRoutes<Client>(
  definition: ErasedProvider<Client>,
  env: Environment = process.env,
): (host: ProviderHost) => Routes {
  checkTypes(definition);
  return ({ logger }) => {
    const session = new Session(definition, env, logger);
    const censored = (response: Diagnosed): Diagnosed =>
      (response.diagnostics ?? []).length === 0
        ? response
        : { ...response, diagnostics: response.diagnostics?.map(session.secrets.censor) };
    const unaryRoutes = (Object.keys(calls) as UnaryName[]).map((name) =>
      unary(methods[name] as never, (request: never, context) => {
        // Only the diagnostics are used here, whatever the type of the response.
        const response = calls[name](session, request, context) as Diagnosed | Promise<Diagnosed>;
        const isLater = response instanceof Promise;
        return (isLater ? response.then(censored) : censored(response)) as never;
      }),
    );
    return new Map([
      ...unaryRoutes,
      serverStream(methods.listResource, (request, context) =>
        listResource(session, request, context),
      ),
      serverStream(methods.invokeAction, (request, context) =>
        invokeAction(session, request, context),
      ),
    ]);
  };
}
