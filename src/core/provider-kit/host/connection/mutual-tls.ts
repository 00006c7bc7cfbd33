import { timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { type TLSSocket, createServer } from "node:tls";

import type { Certificate } from "./certificate";

/**
 * Creates a function that runs the TLS handshake on connected sockets, and accepts only peers with
 * the key of one certificate.
 *
 * @param onAccept receives the TLS socket of an accepted peer
 * @param onRefuse receives the reason for a refusal
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
      // Safe only with the comparison below: a self-signed certificate has no issuer to verify, and
      // an empty list of authorities avoids loading the bundled ones.
      requestCert: true,
      rejectUnauthorized: false,
      ca: [],
      minVersion: "TLSv1.2",
      ALPNProtocols: ["h2"],
      // The default is a hash of the command line, and the first hash of a process is expensive.
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
  // The handshake has proved that the peer has the key of this certificate.
  const presented = socket.getPeerX509Certificate()?.raw;
  if (presented === undefined) return "the client presented no certificate";
  if (presented.byteLength !== expected.byteLength || !timingSafeEqual(presented, expected)) {
    return "the client's certificate differs from the one in PLUGIN_CLIENT_CERT";
  }
  if (socket.alpnProtocol !== "h2") return "the client does not support HTTP/2";
  return undefined;
}
