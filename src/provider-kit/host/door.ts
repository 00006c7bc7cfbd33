import { timingSafeEqual } from "node:crypto";
import { type Server, type Socket, createServer } from "node:net";
import { type TLSSocket, createServer as createTlsServer } from "node:tls";

import type { Certificate } from "./certificate";

export interface DoorOptions {
  /** Our certificate and the only one that a client may show; undefined serves without TLS. */
  readonly tls: { readonly own: Certificate; readonly client: Buffer } | undefined;
  /** Takes a socket whose peer has been recognised. */
  readonly onEnter: (socket: Socket) => void;
  /** Told why a peer was turned away. */
  readonly onRefuse: (reason: string) => void;
}

/**
 * Makes the server that decides who may speak: with mutual TLS, only the holder of the key to the
 * one certificate that Terraform announced.
 */
export function createDoor({ tls, onEnter, onRefuse }: DoorOptions): Server {
  if (tls === undefined) return createServer(onEnter);
  const server = createTlsServer(
    {
      cert: tls.own.pem,
      key: tls.own.keyPem,
      // Safe only together with the comparison below: no authority vouches for a self-signed
      // certificate, and an empty list of authorities saves reading the bundled ones.
      requestCert: true,
      rejectUnauthorized: false,
      ca: [],
      minVersion: "TLSv1.2",
      ALPNProtocols: ["h2"],
    },
    (socket) => {
      const problem = findProblem(socket, tls.client);
      if (problem === undefined) {
        onEnter(socket);
        return;
      }
      socket.destroy();
      onRefuse(problem);
    },
  );
  server.on("tlsClientError", (error: Error) => {
    onRefuse(`the TLS handshake failed: ${error.message}`);
  });
  return server;
}

function findProblem(socket: TLSSocket, expected: Buffer): string | undefined {
  // The handshake proved that the peer holds the key to what it showed.
  const shown = socket.getPeerX509Certificate()?.raw;
  if (shown === undefined) return "the client showed no certificate";
  if (shown.byteLength !== expected.byteLength || !timingSafeEqual(shown, expected)) {
    return "the client showed another certificate than the one in PLUGIN_CLIENT_CERT";
  }
  if (socket.alpnProtocol !== "h2") return "the client does not speak HTTP/2";
  return undefined;
}
