import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { LocalRequest } from "./rpc/call";
import type { Fault, Faults } from "./faults";
import { RpcError } from "./rpc/rpc-error";

const maxBodyBytes = 1_000_000;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** HTTP around the API: who may ask, how much, and what a test wants to go wrong. */
export function createHttpServer(
  answer: (request: LocalRequest) => unknown,
  faults: Faults,
): Server {
  const attempt = (request: LocalRequest): Answer => {
    try {
      return json(200, answer(request));
    } catch (failure) {
      return refusal(failure);
    }
  };
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    let request: LocalRequest;
    try {
      checkSender(message);
      request = await readRequest(message);
    } catch (failure) {
      reply(response, refusal(failure));
      return;
    }
    if (request.method === "GET" && request.path === "/") {
      reply(response, hint);
      return;
    }
    const fault = faults(request);
    if (fault === "reset before effect") {
      message.socket.resetAndDestroy();
      return;
    }
    const hasEffect = typeof fault !== "object" || fault.afterEffect === true;
    const real = hasEffect ? attempt(request) : undefined;
    if (fault === "reset after effect") message.socket.resetAndDestroy();
    else if (fault !== "hang") reply(response, replaced(fault) ?? real ?? json(500, {}));
  };
  const server = createServer((message, response) => {
    serve(message, response).catch((failure: unknown) => {
      if (!response.headersSent) reply(response, refusal(failure));
    });
  });
  return server;
}

const hint: Answer = {
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "Trivet's local back end of the intrusion detection service: the API is below /v1/\n",
};

// A web page could otherwise reach us: by a host name that resolves to the loopback, or blindly.
function checkSender({ headers }: IncomingMessage): void {
  const { host = "", origin } = headers;
  if (!isLoopbackAuthority(host)) {
    throw new RpcError("PERMISSION_DENIED", "the Host header has to name the loopback");
  }
  if (origin !== undefined) {
    throw new RpcError("PERMISSION_DENIED", "requests of web pages are not answered");
  }
}

function isLoopbackAuthority(authority: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(authority);
}

async function readRequest(message: IncomingMessage): Promise<LocalRequest> {
  const url = new URL(message.url ?? "/", "http://localhost");
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
  const method = message.method ?? "GET";
  const body = await readBody(message);
  return { method, path: url.pathname, query: url.searchParams, headers, body };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    // Read on to the end: a client that is still writing would not see the answer.
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  if (size > maxBodyBytes) {
    throw new RpcError("INVALID_ARGUMENT", "the request's body is larger than 1 MB");
  }
  return Buffer.concat(chunks).toString("utf8");
}

function replaced(fault: Fault | undefined): Answer | undefined {
  if (typeof fault !== "object") return undefined;
  const { status, headers = {}, body } = fault;
  const message = `a fault was asked for: HTTP ${status}`;
  const made = json(status, { error: { code: status, message, status: nameOf(status) } });
  return { status, headers: { ...made.headers, ...headers }, body: body ?? made.body };
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function nameOf(status: number): string {
  return statusNames[status] ?? "UNKNOWN";
}

function refusal(failure: unknown): Answer {
  const error =
    failure instanceof RpcError
      ? failure
      : new RpcError("INTERNAL", `this is a bug of the local back end: ${String(failure)}`);
  return json(error.httpStatus, error.toJson());
}

function json(status: number, value: unknown): Answer {
  return {
    status,
    headers: { "content-type": "application/json; charset=UTF-8" },
    body: `${JSON.stringify(value, null, 2)}\n`,
  };
}

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
