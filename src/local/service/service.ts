import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { failures } from "../../core/failure/failure";
import { hasCode } from "../../core/process/system-error";
import { isLoopbackAuthority, isLoopbackHost } from "../../core/schema";
import { answerJson, HttpFailure } from "./answer";

/** Failures of local services that users can fix. */
export const [localServiceError] = failures<"FILE" | "FOLDER" | "IMAGE" | "KEYS" | "PORT">(
  "LocalServiceError",
);

/** Handles a request. Anything that it throws becomes an error response. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ServiceSettings {
  /** @default 0, any free port */
  readonly port?: number | undefined;
  /** A name or an address of the loopback interface. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /**
   * Responds to a request whose listener has failed.
   *
   * @default JSON, with the status of an `HttpFailure` or else 500
   */
  readonly refuse?: ((response: ServerResponse, failure: unknown) => void) | undefined;
  /**
   * True if the service has its own web pages, which may send it requests. Pages of other origins are
   * refused, including those on other ports of this machine.
   *
   * @default false: requests from all web pages are refused
   */
  readonly hasPages?: boolean | undefined;
}

export interface Service {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly port: number;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves requests on the loopback interface only, because these services have no access control.
 * Requests from web pages, or with another host name, are refused.
 *
 * @throws LocalServiceError if the port cannot be used; Error if the host is not a loopback address
 */
export async function startService(
  listener: Listener,
  { port = 0, host = "127.0.0.1", refuse = refuseInJson, hasPages = false }: ServiceSettings = {},
): Promise<Service> {
  // An IPv6 address has brackets in a URL, but not for a socket.
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const name = address.includes(":") ? `[${address}]` : address;
  if (!isLoopbackHost(address)) {
    throw new Error(
      `the local back end has no access control and listens only on loopback addresses (got ${host})`,
    );
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkSender(request, hasPages);
    await listener(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((failure: unknown) => {
      // Otherwise, a client that is still writing would not receive the response.
      request.resume();
      if (response.headersSent || response.destroyed) response.destroy();
      else refuse(response, failure);
    });
  });
  // A large upload may take long, and only programs on this machine can keep connections open.
  server.requestTimeout = 0;
  server.listen(port, address);
  await once(server, "listening").catch((failure: unknown) => {
    throw portError(failure, port);
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

function portError(cause: unknown, port: number): unknown {
  const isUsed = hasCode(cause, "EADDRINUSE");
  if (!isUsed && !hasCode(cause, "EACCES")) return cause;
  const problem = isUsed ? "is already in use" : "is reserved, or needs special rights";
  return localServiceError("PORT", `Port ${port} ${problem}.`, {
    advice: "Choose another port with --port, or use --port 0 for a free one.",
    cause,
  });
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/**
 * Accepts only programs on this machine and the service's own pages. Other web pages could send requests through
 * a host name that resolves to a loopback address, or without reading the response.
 */
function checkSender({ headers, headersDistinct }: IncomingMessage, hasPages: boolean): void {
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  // If there are several, `headers` has only the first.
  if (headersDistinct["host"]?.length !== 1 || !isLoopbackAuthority(host)) {
    throw new HttpFailure(403, "the Host header must be a loopback address");
  }
  // Many requests of other pages have no Origin header: those for images, for example.
  if (!hasPages && (origin !== undefined || site !== "none")) {
    throw new HttpFailure(403, "requests from web pages are refused");
  }
  if (hasPages && (isForeign(origin, host) || isSentByOtherSite(headers))) {
    throw new HttpFailure(403, "requests from other web pages are refused");
  }
}

const isForeign = (origin: string | undefined, host: string): boolean =>
  origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`;

/**
 * Checks whether the browser reports that another site sent the request. Links to a page are allowed: the other
 * site learns nothing from them.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function isSentByOtherSite(headers: IncomingMessage["headers"]): boolean {
  const { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": target } = headers;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return !(mode === "navigate" && target === "document");
}

function refuseInJson(response: ServerResponse, failure: unknown): void {
  const known =
    failure instanceof HttpFailure
      ? failure
      : new HttpFailure(500, `this is a bug in the local services: ${String(failure)}`);
  answerJson(
    response,
    known.status,
    known.body ?? { code: known.status, message: known.message },
    known.headers,
  );
}
