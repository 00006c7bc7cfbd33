import type { IncomingMessage, ServerResponse } from "node:http";
import { answerBytes, HttpFailure } from "../service/answer";
import { answering, type Answer, type Fault, type FaultsOf } from "../service/faults";
import { readBody } from "../service/read-body";
import { startService, type Service } from "../service/service";
import { type LocalRequest, rpcError } from "./rpc/call";

const maxBodyBytes = 1_000_000;

/** The settings of {@link startHttpServer}. */
interface HttpServerSettings {
  readonly port: number;
  readonly host?: string | undefined;
  /** Failures to inject, for tests. @default none */
  readonly faults?: FaultsOf<LocalRequest> | undefined;
}

/** Serves the API over HTTP. Errors are returned in Google's error model. */
export function startHttpServer(
  answer: (request: LocalRequest) => unknown,
  { port, host, faults }: HttpServerSettings,
): Promise<Service> {
  const listener = answering({
    read: readRequest,
    answer: (request) => (isForHint(request) ? hint : attempt(answer, request)),
    faults: (request) => (isForHint(request) ? undefined : inErrorModel(faults?.(request))),
  });
  return startService(listener, { port, host, refuse });
}

const hint: Answer = {
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: Buffer.from(
    "Trivet's local back end of the intrusion detection service: the API is below /v1/\n",
  ),
};

function isForHint({ method, path }: LocalRequest): boolean {
  return method === "GET" && path === "/";
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
  const body = (await readBody(message, maxBodyBytes)).toString("utf8");
  return { method, path: url.pathname, query: url.searchParams, headers, body };
}

function attempt(answer: (request: LocalRequest) => unknown, request: LocalRequest): Answer {
  try {
    return json(200, answer(request));
  } catch (failure) {
    return refusal(failure);
  }
}

/** Adds a body in Google's error model to a fault that responds, unless it has a body. */
function inErrorModel(fault: Fault | undefined): Fault | undefined {
  if (fault?.kind !== "answer") return fault;
  const { status } = fault;
  const message = `an injected fault: HTTP ${status}`;
  const made = json(status, { error: { code: status, message, status: nameOf(status) } });
  return {
    ...fault,
    headers: { ...made.headers, ...fault.headers },
    body: fault.body ?? made.body,
  };
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

function refuse(response: ServerResponse, failure: unknown): void {
  const { status, headers, body } = refusal(failure);
  answerBytes(response, status, body, headers);
}

function refusal(failure: unknown) {
  const { status, body } = inModel(failure);
  return json(status, body);
}

function inModel(failure: unknown): HttpFailure {
  if (!(failure instanceof HttpFailure)) {
    return rpcError("INTERNAL", `this is a bug in the local back end: ${String(failure)}`);
  }
  if (failure.body !== undefined) return failure;
  const code = failure.status === 403 ? "PERMISSION_DENIED" : "INVALID_ARGUMENT";
  return rpcError(code, failure.message);
}

function json(status: number, value: unknown) {
  const headers = { "content-type": "application/json; charset=UTF-8" };
  return { status, headers, body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) };
}
