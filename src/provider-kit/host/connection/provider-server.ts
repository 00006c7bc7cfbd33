import type { GrpcServer } from "../../wire/grpc/grpc-server";
import { type Address, bind } from "./address";
import { type PluginListenerOptions, createPluginListener } from "./plugin-listener";
import type { Environment } from "../log/log-level";
import type * as providerGrpc from "./provider-grpc";
import type { ProviderGrpcOptions } from "./provider-grpc";

export interface ProviderServerOptions extends ProviderGrpcOptions {
  readonly env: Environment;
  readonly tls: PluginListenerOptions["tls"];
}

/** A provider that listens. */
export interface ProviderServer {
  readonly address: Address;
  /** Makes ready for the first call what the handshake could do without. */
  readonly prepare: () => void;
  /** Stops listening, ends all connections and removes the socket. */
  readonly close: () => void;
}

/** Opens the door and puts the provider's calls, and those of the plugin library, behind it. */
export async function startServer(options: ProviderServerOptions): Promise<ProviderServer> {
  const { logger } = options;
  let grpc: GrpcServer | undefined;
  const getGrpc = (): GrpcServer => {
    // HTTP/2 and the messages take as long to load as everything that listening needs.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { createProviderGrpc } = require("./provider-grpc") as typeof providerGrpc;
    return (grpc ??= createProviderGrpc(options));
  };
  const door = createPluginListener({
    tls: options.tls,
    onAccept: (socket) => {
      getGrpc().accept(socket);
    },
    onRefuse: (reason) => {
      logger.warn("A connection was refused", { reason });
    },
  });
  const address = await bind(door.server, options.env);
  return {
    address,
    prepare: () => {
      door.prepare();
      getGrpc().prepare();
    },
    close: () => {
      door.server.close();
      grpc?.close();
      address.remove();
    },
  };
}
