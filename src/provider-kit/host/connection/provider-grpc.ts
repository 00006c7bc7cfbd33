import { type CallContext, type Route, type Routes, unary } from "../../wire/grpc/grpc-route";
import { type GrpcServer, createGrpcServer } from "../../wire/grpc/grpc-server";
import { pluginMethods } from "../../wire/tfplugin6/plugin-services";
import type { Logger } from "../log/logging";

/** What the host offers to the provider that it serves. */
export interface ProviderHost {
  readonly logger: Logger;
}

/** The provider's calls; a function is called after the handshake, when time costs less. */
export type ProviderRoutes = Routes | ((host: ProviderHost) => Routes | Promise<Routes>);

export interface ProviderGrpcOptions {
  readonly routes: ProviderRoutes;
  readonly logger: Logger;
  readonly onShutdown: (call: CallContext) => void;
  readonly onConnections?: ((open: number) => void) | undefined;
}

/** Puts the provider's calls beside those of the plugin library, and failures into the log. */
export function createProviderGrpc(options: ProviderGrpcOptions): GrpcServer {
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

/**
 * The services that Terraform's plugin library expects beside the provider's own.
 *
 * @param onShutdown called when Terraform asks the plugin to end, before the answer is sent
 */
function goPluginRoutes(onShutdown: (call: CallContext) => void): Routes {
  return new Map<string, Route>([
    unary(pluginMethods.checkHealth, () => ({ status: "SERVING" as const })),
    // Both streams stay open and silent: the first would carry output, which goes to stderr here,
    // the second would open further connections, which providers do not need.
    [pluginMethods.streamStdio.path, { kind: "stream", handle: untilAborted }],
    [pluginMethods.startBrokerStream.path, { kind: "stream", handle: untilAborted }],
    unary(pluginMethods.shutdown, (_request, call) => {
      onShutdown(call);
      return {};
    }),
  ]);
}

function untilAborted({ signal }: { readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        "abort",
        () => {
          resolve();
        },
        { once: true },
      );
  });
}
