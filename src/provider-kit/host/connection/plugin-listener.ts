import { type Server, type Socket, createServer } from "node:net";

import type { Certificate } from "./certificate";
import type * as mutualTls from "./mutual-tls";

export interface PluginListenerOptions {
  /** Our certificate and the only one that a client may show; undefined serves without TLS. */
  readonly tls: { readonly own: Certificate; readonly client: Buffer } | undefined;
  /** Takes a socket whose peer has been recognised. */
  readonly onAccept: (socket: Socket) => void;
  /** Told why a peer was turned away. */
  readonly onRefuse: (reason: string) => void;
}

/** What stands between the outside and the provider's calls. */
export interface PluginListener {
  /** Where connections arrive. */
  readonly server: Server;
  /** Makes ready for the first connection what listening could do without. */
  readonly prepare: () => void;
}

/**
 * Makes the server that decides who may speak: with mutual TLS, only the holder of the key to the
 * one certificate that Terraform announced.
 */
export function createPluginListener({
  tls,
  onAccept,
  onRefuse,
}: PluginListenerOptions): PluginListener {
  if (tls === undefined) return { server: createServer(onAccept), prepare: () => undefined };
  let guard: ((socket: Socket) => void) | undefined;
  const getGuard = (): ((socket: Socket) => void) => {
    // TLS is a quarter of the start-up time, and Terraform can connect while it is set up.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { createTlsGuard } = require("./mutual-tls") as typeof mutualTls;
    return (guard ??= createTlsGuard(tls, onAccept, onRefuse));
  };
  const server = createServer((socket) => {
    getGuard()(socket);
  });
  return { server, prepare: () => void getGuard() };
}
