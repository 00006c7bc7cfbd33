import type { CallContext, Route, Routes } from "../wire/grpc-route";

const empty = new Uint8Array(0);
/** HealthCheckResponse with status SERVING. */
const serving = Uint8Array.of(0x08, 0x01);

/**
 * The services that Terraform's plugin library expects beside the provider's own.
 *
 * @param onShutdown called when Terraform asks the plugin to end, before the answer is sent
 */
export function goPluginRoutes(onShutdown: (call: CallContext) => void): Routes {
  return new Map<string, Route>([
    ["/grpc.health.v1.Health/Check", { kind: "unary", handle: () => serving }],
    // Both streams stay open and silent: the first would carry output, which goes to stderr here,
    // the second would open further connections, which providers do not need.
    ["/plugin.GRPCStdio/StreamStdio", { kind: "stream", handle: untilAborted }],
    ["/plugin.GRPCBroker/StartStream", { kind: "stream", handle: untilAborted }],
    [
      "/plugin.GRPCController/Shutdown",
      {
        kind: "unary",
        handle: (_request, call) => {
          onShutdown(call);
          return empty;
        },
      },
    ],
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
