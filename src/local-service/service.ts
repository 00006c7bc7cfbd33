import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isLoopbackAuthority, isLoopbackHost } from "../schema/loopback";
import { answerJson } from "./answer";
import { HttpFailure } from "./http-failure";

/** Answers a request; what it throws, or rejects with, is answered as an error. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ServiceSettings {
  /** @default 0, any free one */
  readonly port?: number | undefined;
  /** A name or an address of the loopback. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Answers with what was thrown. @default an `HttpFailure` with its status, all else with 500, in JSON */
  readonly refuse?: ((response: ServerResponse, failure: unknown) => void) | undefined;
}

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
 * Serves requests on the loopback interface alone, since these services have no access control: requests
 * that come from web pages, or for another host's name, are refused.
 *
 * @throws Error when the host is not the loopback, and the system's when the port cannot be had
 */
export async function startService(
  listener: Listener,
  { port = 0, host = "127.0.0.1", refuse = refuseInJson }: ServiceSettings = {},
): Promise<Service> {
  // In a URL an IPv6 address has brackets; for a socket it has none.
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const name = address.includes(":") ? `[${address}]` : address;
  if (!isLoopbackHost(address)) {
    throw new Error(
      `the local back end has no access control and listens on loopback addresses only, not on ${host}`,
    );
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkSender(request);
    await listener(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((failure: unknown) => {
      // A client that is still writing would not see the answer otherwise.
      request.resume();
      if (response.headersSent || response.destroyed) response.destroy();
      else refuse(response, failure);
    });
  });
  // A large upload may take its time; nobody but this machine can hold connections open.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const listening = server.address();
  const bound = typeof listening === "object" && listening !== null ? listening.port : port;
  return {
    url: `http://${name}:${bound}`,
    host: `${name}:${bound}`,
    port: bound,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Lets only programs of this machine in.
 *
 * A web page could otherwise reach us: by a host name that resolves to the loopback, or blindly.
 */
function checkSender({ headers }: IncomingMessage): void {
  if (!isLoopbackAuthority(headers.host ?? "")) {
    throw new HttpFailure(403, "the Host header has to name the loopback");
  }
  if (headers.origin !== undefined) {
    throw new HttpFailure(403, "requests of web pages are not answered");
  }
}

function refuseInJson(response: ServerResponse, failure: unknown): void {
  const known =
    failure instanceof HttpFailure
      ? failure
      : new HttpFailure(500, `this is a bug of the local services: ${String(failure)}`);
  answerJson(response, known.status, known.toJson(), known.headers);
}
