import { type CallContext, type Route, type Routes, unary } from "../wire/grpc-route";
import { pluginMethods } from "../wire/plugin-services";

/**
 * The services that Terraform's plugin library expects beside the provider's own.
 *
 * @param onShutdown called when Terraform asks the plugin to end, before the answer is sent
 */
export function goPluginRoutes(onShutdown: (call: CallContext) => void): Routes {
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
