import type { CallOptions, GrpcClient } from "../wire/grpc/grpc-client";
import { GrpcError } from "../wire/grpc/grpc-headers";
import type { Message } from "../wire/grpc/protobuf";
import type { ProviderCalls } from "../core/resource-calls";
import { pluginMethods } from "../wire/tfplugin6/plugin-services";
import { providerMethods } from "../wire/tfplugin6/tfplugin6";

/** A connection to a provider, like that of Terraform. */
export interface ProviderClient extends ProviderCalls {
  /** The underlying connection, for calls outside the protocol. */
  readonly grpc: GrpcClient;
  /**
   * Asks the provider's process to exit. As in Terraform, it is no error if the process exits before its
   * response is complete.
   */
  readonly shutdown: () => Promise<void>;
}

/** Creates a client for the plugin protocol on a connection. */
export function createProviderClient(grpc: GrpcClient): ProviderClient {
  const entries = Object.entries(providerMethods).map(
    ([name, method]) =>
      [name, method.kind === "unary" ? callOf(grpc, method) : streamOf(grpc, method)] as const,
  );
  return {
    // Object.entries loses the type of each entry, which is that of its method.
    ...(Object.fromEntries(entries) as unknown as ProviderCalls),
    grpc,
    shutdown: async () => {
      try {
        await callOf(grpc, pluginMethods.shutdown)({});
      } catch (error) {
        if (!(error instanceof GrpcError && error.code === "UNAVAILABLE")) throw error;
      }
    },
  };
}

interface CalledMethod {
  readonly path: string;
  readonly request: Pick<Message<unknown, never>, "encode">;
  readonly response: Pick<Message<unknown, never>, "decode">;
}

function streamOf(grpc: GrpcClient, { path, request, response }: CalledMethod) {
  return async function* (message: unknown, options?: CallOptions): AsyncGenerator {
    const events = grpc.serverStream(path, request.encode(message as never), options);
    for await (const event of events) yield response.decode(event);
  };
}

function callOf(grpc: GrpcClient, { path, request, response }: CalledMethod) {
  return async (message: unknown, options?: CallOptions): Promise<unknown> =>
    response.decode(await grpc.unary(path, request.encode(message as never), options));
}
