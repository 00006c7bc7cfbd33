import { type Server, type Socket, createServer } from "node:net";

import type { Certificate } from "./certificate";
import type * as mutualTls from "./mutual-tls";

/** The settings of a {@link PluginListener}. */
export interface PluginListenerOptions {
  /**
   * The server's certificate, and the only client certificate that is accepted, as DER; undefined
   * without TLS.
   */
  readonly tls: { readonly own: Certificate; readonly client: Buffer } | undefined;
  /** Receives the socket of an accepted peer. */
  readonly onAccept: (socket: Socket) => void;
  /** Receives the reason when a peer is refused. */
  readonly onRefuse: (reason: string) => void;
}

/** A server that authenticates clients before they reach the provider's calls. */
interface PluginListener {
  /** The server to make listen. */
  readonly server: Server;
  /** Loads the modules that the first connection needs and listening does not. */
  readonly prepare: () => void;
}

/**
 * Creates the server that authenticates clients. With mutual TLS, it accepts only the owner of the
 * certificate that Terraform announced.
 */
export function createPluginListener({
  tls,
  onAccept,
  onRefuse,
}: PluginListenerOptions): PluginListener {
  if (tls === undefined) return { server: createServer(onAccept), prepare: () => undefined };
  let guard: ((socket: Socket) => void) | undefined;
  const getGuard = (): ((socket: Socket) => void) => {
    // TLS takes a quarter of the start-up time, and Terraform can connect while it is loading.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { createTlsGuard } = require("./mutual-tls") as typeof mutualTls;
    return (guard ??= createTlsGuard(tls, onAccept, onRefuse));
  };
  const server = createServer((socket) => {
    getGuard()(socket);
  });
  return { server, prepare: () => void getGuard() };
}
