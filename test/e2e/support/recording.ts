import { startReattach } from "../../../src/core/provider-kit/host/reattach";
import type { ProviderRoutes } from "../../../src/core/provider-kit/host/connection/provider-grpc";
import type { Route } from "../../../src/core/provider-kit/wire/grpc/grpc-route";
import { providerMethods } from "../../../src/core/provider-kit/wire/tfplugin6/tfplugin6";
import type { Tool } from "./tool";
import { Workspace } from "./workspace";

/** A recorded call of the protocol. */
export interface RecordedCall {
  readonly path: string;
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

/** Wraps routes so that all calls are recorded. */
export function recorded(routes: ProviderRoutes, calls: RecordedCall[]): ProviderRoutes {
  const recording = (path: string, route: Route): Route => {
    if (route.kind !== "unary") return route;
    return {
      kind: "unary",
      async handle(bytes, context) {
        const request = Uint8Array.from(bytes);
        const response = await route.handle(bytes, context);
        calls.push({ path, request, response: Uint8Array.from(response) });
        return response;
      },
    };
  };
  return async (host) => {
    const own = typeof routes === "function" ? await routes(host) : routes;
    return new Map([...own].map(([path, route]) => [path, recording(path, route)] as const));
  };
}

/** Wraps routes so that the responses of one of them are changed. */
export function falsified(
  routes: ProviderRoutes,
  falsifiedPath: string,
  change: (response: Uint8Array) => Uint8Array,
): ProviderRoutes {
  return async (host) => {
    const own = typeof routes === "function" ? await routes(host) : routes;
    return new Map(
      [...own].map(([path, route]): [string, Route] => {
        if (path !== falsifiedPath || route.kind !== "unary") return [path, route];
        const handle: typeof route.handle = async (request, context) =>
          change(await route.handle(request, context));
        return [path, { kind: "unary", handle }];
      }),
    );
  };
}

/** Returns the requests and responses of a provider's plans, in order. */
export const plansIn = (calls: readonly RecordedCall[]) =>
  calls
    .filter(({ path }) => path === providerMethods.planResourceChange.path)
    .map(({ request, response }) => ({
      request: providerMethods.planResourceChange.request.decode(request),
      response: providerMethods.planResourceChange.response.decode(response),
    }));

/** Returns the last response to a read. */
export function lastRead(calls: readonly RecordedCall[]) {
  const found = calls.findLast(({ path }) => path === providerMethods.readResource.path);
  return found && providerMethods.readResource.response.decode(found.response);
}

/** Returns the settings with which the provider was last configured. */
export function lastSettings(calls: readonly RecordedCall[]) {
  const found = calls.findLast(({ path }) => path === providerMethods.configureProvider.path);
  return found && providerMethods.configureProvider.request.decode(found.request).config;
}

/**
 * Returns the names of the calls that read, plan or apply resources, such as `PlanResourceChange`.
 */
export const changeCalls = (calls: readonly RecordedCall[]): string[] =>
  calls
    .map(({ path }) => path.slice(path.lastIndexOf("/") + 1))
    .filter((name) => /^(Read|Plan|Apply)Resource/.test(name));

const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0).reverse()) end();
});

/** Creates a folder whose provider runs in this process and is recorded. */
export async function recordedWorkspace(tool: Tool, source: string, routes: ProviderRoutes) {
  const workspace = new Workspace(tool);
  endings.push(() => {
    workspace.remove();
  });
  const calls: RecordedCall[] = [];
  const attached = await startReattach({ source, routes: recorded(routes, calls), env: {} });
  endings.push(attached.close);
  Object.assign(workspace.env, attached.env);
  return { workspace, calls };
}
