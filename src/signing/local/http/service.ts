import { createServer, type RequestListener } from "node:http";
import { checkSender } from "./check-sender";
import { answerFailure } from "./http-failure";

/** A server that is listening. */
export interface Service {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly port: number;
  /** Drops every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves requests on the loopback interface; port 0 is any free one.
 *
 * Requests that come from web pages, or for another host's name, are refused.
 */
export async function startService(listener: RequestListener, port = 0): Promise<Service> {
  const server = createServer((request, response) => {
    try {
      checkSender(request);
      listener(request, response);
    } catch (failure) {
      answerFailure(request, response, failure);
    }
  });
  // A large upload may take its time; nobody but this machine can hold connections open.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  const host = `127.0.0.1:${bound}`;
  return {
    url: `http://${host}`,
    host,
    port: bound,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
