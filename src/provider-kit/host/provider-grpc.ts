import { type GrpcServer, createGrpcServer } from "../wire/grpc-server";
import { goPluginRoutes } from "./go-plugin-routes";
import type { ProviderServerOptions } from "./provider-server";

/** Puts the provider's calls beside those of the plugin library, and failures into the log. */
export function createProviderGrpc(options: ProviderServerOptions): GrpcServer {
  const { routes, logger, onConnections, onShutdown } = options;
  return createGrpcServer({
    routes: goPluginRoutes(onShutdown),
    lateRoutes: () => (typeof routes === "function" ? routes({ logger }) : routes),
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
