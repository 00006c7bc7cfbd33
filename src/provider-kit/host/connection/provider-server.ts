import type { GrpcServer } from "../../wire/grpc/grpc-server";
import { type Address, bind } from "./address";
import { type PluginListenerOptions, createPluginListener } from "./plugin-listener";
import type { Environment } from "../log/log-level";
import type * as providerGrpc from "./provider-grpc";
import type { ProviderGrpcOptions } from "./provider-grpc";

/** The settings of {@link startServer}. */
interface ProviderServerOptions extends ProviderGrpcOptions {
  /** The environment that defines the socket folder and the port range. */
  readonly env: Environment;
  /** The certificates of both sides; undefined without TLS. */
  readonly tls: PluginListenerOptions["tls"];
}

/** A provider that is listening. */
interface ProviderServer {
  readonly address: Address;
  /** Loads the modules that the first call needs and the handshake does not. */
  readonly prepare: () => void;
  /** Stops listening, closes all connections and removes the socket. */
  readonly close: () => void;
}

/** Starts to listen, and serves the calls of the provider and of go-plugin to accepted clients. */
export async function startServer(options: ProviderServerOptions): Promise<ProviderServer> {
  const { logger } = options;
  let grpc: GrpcServer | undefined;
  const getGrpc = (): GrpcServer => {
    // HTTP/2 and the messages take as long to load as everything that listening needs.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { createProviderGrpc } = require("./provider-grpc") as typeof providerGrpc;
    return (grpc ??= createProviderGrpc(options));
  };
  const listener = createPluginListener({
    tls: options.tls,
    onAccept: (socket) => {
      getGrpc().accept(socket);
    },
    onRefuse: (reason) => {
      logger.warn("A connection was refused", { reason });
    },
  });
  const address = await bind(listener.server, options.env);
  return {
    address,
    prepare: () => {
      listener.prepare();
      getGrpc().prepare();
    },
    close: () => {
      listener.server.close();
      grpc?.close();
      address.remove();
    },
  };
}
