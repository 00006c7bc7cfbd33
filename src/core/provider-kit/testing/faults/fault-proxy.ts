import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { FaultGate, FaultKind } from "./fault";

interface FaultProxySettings {
  readonly service: string;
  readonly upstream: string;
  readonly gate: FaultGate;
  readonly kill: () => Promise<void>;
}

export interface FaultProxy {
  /** The URL to give to the provider, with the path of the service's URL. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The size limit of a message, which is kept in memory so that it can be sent twice. */
const maxBytes = 64 * 1024 * 1024;

/** The time that the service has to respond. */
const upstreamMs = 60_000;

interface Message {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Starts an HTTP proxy on the loopback interface in front of one service of a back end, which triggers the
 * faults of a gate.
 *
 * URLs of the service in the headers of responses become URLs of the proxy; those in bodies do not.
 */
export async function startFaultProxy(settings: FaultProxySettings): Promise<FaultProxy> {
  const upstream = new URL(settings.upstream);
  let own = "";
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = await readMessage(request);
    const { service, gate, kill } = settings;
    const { method } = message;
    const [path = ""] = message.path.split("?");
    const fault = gate.arrive({ service, method, path });
    const answer = hasEffect(fault) ? await forwarded(upstream, message) : undefined;
    const last = fault === "twice" ? await forwarded(upstream, message) : answer;
    switch (fault) {
      case "kill-before":
      case "kill-after":
        await kill();
        request.socket.resetAndDestroy();
        return;
      case "reset-before":
      case "reset-after":
        request.socket.resetAndDestroy();
        return;
      case "no-answer":
        return;
      default:
        if (last !== undefined) send(response, method, last, upstream.origin, own);
    }
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      // The service has failed, or the provider has exited.
      if (response.headersSent || response.destroyed) response.destroy();
      else response.writeHead(502).end();
    });
  });
  server.requestTimeout = 0;
  const address = `127.0.0.1:${await listen(server)}`;
  own = `http://${address}`;
  return {
    // Not by the origin, which the URL can have in another spelling: in capitals, with a user or with its default port.
    url: settings.upstream.replace(
      /^https?:\/\/([^/?#]*@)?[^/?#]*/i,
      (_, user: string | undefined) => `http://${user ?? ""}${address}`,
    ),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

const hasEffect = (fault: FaultKind | undefined): boolean =>
  fault !== "kill-before" && fault !== "reset-before";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return address.port;
}

async function readMessage(request: IncomingMessage): Promise<Message> {
  const { method = "GET", url: path = "/", headers } = request;
  return { method, path, headers, body: await readAll(request) };
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`a message has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function forwarded(upstream: URL, { method, path, headers, body }: Message): Promise<Answer> {
  const request = upstream.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
      // Not resolved, because a path such as //v1 would be another host.
      `${upstream.origin}${path}`,
      {
        method,
        headers: { ...endToEnd(headers), host: upstream.host, ...lengthOf(method, body) },
        agent: false,
        timeout: upstreamMs,
      },
      (response) => {
        readAll(response).then((all) => {
          resolve({ status: response.statusCode ?? 502, headers: response.headers, body: all });
        }, reject);
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("the service did not respond")));
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Sends the length of an empty body only with methods that have a body. */
const lengthOf = (method: string, body: Buffer): OutgoingHttpHeaders =>
  body.byteLength > 0 || ["POST", "PUT", "PATCH"].includes(method)
    ? { "content-length": body.byteLength }
    : {};

function send(
  response: ServerResponse,
  method: string,
  { status, headers, body }: Answer,
  upstreamOrigin: string,
  own: string,
): void {
  const kept = Object.entries(endToEnd(headers)).map(([name, value]) => {
    const rewritten = (text: string): string => text.replaceAll(upstreamOrigin, own);
    return [name, Array.isArray(value) ? value.map(rewritten) : rewritten(String(value))] as const;
  });
  // The response to HEAD has the length of a body that is not sent.
  const length = method === "HEAD" ? headers["content-length"] : String(body.byteLength);
  const framed =
    length === undefined || status === 204 || status === 304
      ? []
      : [["content-length", length] as const];
  response.writeHead(status, Object.fromEntries([...kept, ...framed]));
  response.end(method === "HEAD" ? undefined : body);
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1} */
const betweenNeighbours = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !betweenNeighbours.has(name)));
