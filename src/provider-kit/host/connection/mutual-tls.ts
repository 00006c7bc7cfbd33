import { timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { type TLSSocket, createServer } from "node:tls";

import type { Certificate } from "./certificate";

/**
 * Makes a function that takes connected sockets through the TLS handshake and lets those enter
 * whose peer holds the key to one certificate.
 */
export function createTlsGuard(
  { own, client }: { readonly own: Certificate; readonly client: Buffer },
  onAccept: (socket: Socket) => void,
  onRefuse: (reason: string) => void,
): (socket: Socket) => void {
  const server = createServer(
    {
      cert: own.pem,
      key: own.keyPem,
      // Safe only together with the comparison below: no authority vouches for a self-signed
      // certificate, and an empty list of authorities saves reading the bundled ones.
      requestCert: true,
      rejectUnauthorized: false,
      ca: [],
      minVersion: "TLSv1.2",
      ALPNProtocols: ["h2"],
      // Otherwise a hash of the command line, and the first hash of a process is dear.
      sessionIdContext: "trivet",
    },
    (socket) => {
      const problem = findProblem(socket, client);
      if (problem === undefined) {
        onAccept(socket);
        return;
      }
      socket.destroy();
      onRefuse(problem);
    },
  );
  server.on("tlsClientError", (error: Error) => {
    onRefuse(`the TLS handshake failed: ${error.message}`);
  });
  return (socket) => void server.emit("connection", socket);
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
