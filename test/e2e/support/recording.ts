import { startReattach } from "../../../src/provider-kit/host/reattach";
import type { ProviderRoutes } from "../../../src/provider-kit/host/connection/provider-grpc";
import type { Route } from "../../../src/provider-kit/wire/grpc/grpc-route";
import { providerMethods } from "../../../src/provider-kit/wire/tfplugin6/tfplugin6";
import type { Tool } from "./tool";
import { Workspace } from "./workspace";

/** A call of the protocol, as it went over the wire. */
export interface RecordedCall {
  readonly path: string;
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

/** The same routes, which keep a record of all calls. */
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

/** The same routes, of which one gives answers that are changed on their way. */
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

/** What a provider was asked and answered while planning, in order. */
export const plansIn = (calls: readonly RecordedCall[]) =>
  calls
    .filter(({ path }) => path === providerMethods.planResourceChange.path)
    .map(({ request, response }) => ({
      request: providerMethods.planResourceChange.request.decode(request),
      response: providerMethods.planResourceChange.response.decode(response),
    }));

/** The last answer to a read. */
export function lastRead(calls: readonly RecordedCall[]) {
  const found = calls.findLast(({ path }) => path === providerMethods.readResource.path);
  return found && providerMethods.readResource.response.decode(found.response);
}

/** The settings that the provider was configured with last. */
export function lastSettings(calls: readonly RecordedCall[]) {
  const found = calls.findLast(({ path }) => path === providerMethods.configureProvider.path);
  return found && providerMethods.configureProvider.request.decode(found.request).config;
}

/** The calls that a change of one resource consists of: `ReadResource`, `PlanResourceChange`, … */
export const changeCalls = (calls: readonly RecordedCall[]): string[] =>
  calls
    .map(({ path }) => path.slice(path.lastIndexOf("/") + 1))
    .filter((name) => /^(Read|Plan|Apply)Resource/.test(name));

const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0).reverse()) end();
});

/** A folder whose provider runs in this process and is recorded. */
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
