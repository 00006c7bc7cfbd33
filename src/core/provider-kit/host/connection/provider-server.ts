import { createServer, type Server, type Socket } from "node:net";
import type { GrpcServer } from "../../wire/grpc/grpc-server";
import type { Environment } from "../../records/logging";
import { type Address, bind } from "./address";
import type { Certificate } from "./certificate";
import type * as mutualTls from "./mutual-tls";
import type * as providerGrpc from "./provider-grpc";
import type { ProviderGrpcOptions } from "./provider-grpc";

/** The settings of {@link startServer}. */
interface ProviderServerOptions extends ProviderGrpcOptions {
  /** The environment that defines the socket folder and the port range. */
  readonly env: Environment;
  /** The certificates of both sides; undefined without TLS. */
  readonly tls: MutualTls | undefined;
}

interface MutualTls {
  readonly own: Certificate;
  /** The only client certificate that is accepted, as DER. */
  readonly client: Buffer;
}

interface ProviderServer {
  readonly address: Address;
  /** Loads the modules that the first call needs and the handshake does not. */
  readonly prepare: () => void;
  /** Stops listening, closes all connections and removes the socket. */
  readonly close: () => void;
}

/** Starts to listen, and serves the calls of the provider and of go-plugin to accepted clients. */
export async function startServer(options: ProviderServerOptions): Promise<ProviderServer> {
  let grpc: GrpcServer | undefined;
  const getGrpc = (): GrpcServer => {
    // HTTP/2 and the messages take as long to load as everything that listening needs.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { createProviderGrpc } = require("./provider-grpc") as typeof providerGrpc;
    return (grpc ??= createProviderGrpc(options));
  };
  const listener = createPluginListener(
    options.tls,
    (socket) => getGrpc().accept(socket),
    (reason) => options.logger.warn("A connection was refused", { reason }),
  );
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

/** A server that authenticates clients before they reach the provider's calls. */
interface PluginListener {
  readonly server: Server;
  /** Loads the modules that the first connection needs and listening does not. */
  readonly prepare: () => void;
}

/** @param onRefuse receives the reason when a peer is refused */
function createPluginListener(
  tls: MutualTls | undefined,
  onAccept: (socket: Socket) => void,
  onRefuse: (reason: string) => void,
): PluginListener {
  if (tls === undefined) return { server: createServer(onAccept), prepare: () => undefined };
  let guard: ((socket: Socket) => void) | undefined;
  const getGuard = (): ((socket: Socket) => void) => {
    // TLS takes a quarter of the start-up time, and Terraform can connect while it is loading.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { createTlsGuard } = require("./mutual-tls") as typeof mutualTls;
    return (guard ??= createTlsGuard(tls, onAccept, onRefuse));
  };
  return { server: createServer((socket) => getGuard()(socket)), prepare: () => void getGuard() };
}
