import { isIP } from "node:net";
import { connect, createSecureContext } from "node:tls";
import { failureOf } from "./http-error";
import { loopbackLookup } from "./node-exchange";

/**
 * Finds out whether a server speaks TLS, without the root certificates, which take long to load.
 *
 * Any certificate is accepted, because nothing is sent: the connection is closed after the handshake.
 *
 * @param connectMaxMs the longest time to connect, in milliseconds
 * @throws Error with the `code` of Node.js, as a request over https would
 */
export function probeTls(url: URL, signal: AbortSignal, connectMaxMs: number): Promise<void> {
  const { port, hostname } = url;
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: port === "" ? 443 : Number(port),
      lookup: loopbackLookup,
      ...(isIP(host) === 0 && { servername: host }),
      secureContext: createSecureContext({ ca: [] }),
      rejectUnauthorized: false,
    });
    const fail = (code: string, message: string) => (): void => {
      socket.destroy(failureOf(code, message));
    };
    const abort = fail("ABORT_ERR", "the request was aborted");
    const timer = setTimeout(
      fail("ETIMEDOUT", `no connection within ${connectMaxMs} ms`),
      connectMaxMs,
    );
    socket.once("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      resolve();
      socket.destroy();
    });
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}
