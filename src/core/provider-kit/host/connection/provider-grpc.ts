import { type CallContext, type Route, type Routes, unary } from "../../wire/grpc/grpc-route";
import { type GrpcServer, createGrpcServer } from "../../wire/grpc/grpc-server";
import { pluginMethods } from "../../wire/tfplugin6/plugin-services";
import type { Logger } from "../../records/logging";

/** The services of the host for the provider. */
export interface ProviderHost {
  readonly logger: Logger;
}

/** The provider's routes. A function is called after the handshake, so that it does not delay the start. */
export type ProviderRoutes = Routes | ((host: ProviderHost) => Routes | Promise<Routes>);

/** The settings of {@link createProviderGrpc}. */
export interface ProviderGrpcOptions {
  readonly routes: ProviderRoutes;
  /**
   * Creates separate routes for each connection, with the function in `routes`: several Terraform commands,
   * or providers with an `alias`, must not share their settings. @default false
   */
  readonly isolated?: boolean | undefined;
  readonly logger: Logger;
  /** Called when Terraform asks the plugin to exit, before the response is sent. */
  readonly onShutdown: (call: CallContext) => void;
  /** Called when the number of open connections changes. */
  readonly onConnections?: ((open: number) => void) | undefined;
}

/** Creates the gRPC server of a provider, with the services of go-plugin. Logs unexpected errors. */
export function createProviderGrpc(options: ProviderGrpcOptions): GrpcServer {
  const { routes, isolated, logger, onConnections, onShutdown } = options;
  return createGrpcServer({
    routes: goPluginRoutes(onShutdown),
    lateRoutes: () => (typeof routes === "function" ? routes({ logger }) : routes),
    isolated,
    onConnections,
    onHandlerError: (path, error) => {
      logger.error("A call failed unexpectedly", () => ({
        path,
        error,
        stack: error instanceof Error ? error.stack : undefined,
      }));
    },
  });
}

/**
 * Returns the services that go-plugin expects in addition to the provider's.
 *
 * @param onShutdown called when Terraform asks the plugin to exit, before the response is sent
 */
function goPluginRoutes(onShutdown: (call: CallContext) => void): Routes {
  return new Map<string, Route>([
    unary(pluginMethods.checkHealth, () => ({ status: "SERVING" as const })),
    // Both streams stay open without messages: the first is for output, which goes to stderr here,
    // the second opens further connections, which providers do not need.
    [pluginMethods.streamStdio.path, { kind: "stream", handle: untilClosed }],
    [pluginMethods.startBrokerStream.path, { kind: "stream", handle: untilClosed }],
    unary(pluginMethods.shutdown, (_request, call) => {
      onShutdown(call);
      return {};
    }),
  ]);
}

/** Uses no signal, because only this would create one in each process. */
const untilClosed = ({ onClosed }: Pick<CallContext, "onClosed">): Promise<void> =>
  new Promise(onClosed);
