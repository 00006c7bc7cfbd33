import type { IncomingMessage, ServerResponse } from "node:http";
import { answerBytes, HttpFailure } from "../service/answer";
import { readBody } from "../service/request";
import { type Listener, type Service, startService } from "../service/service";
import { createRouter } from "./routes";
import { type LocalRequest, rpcError, type RpcStatus } from "./rpc/call";
import { EndpointService } from "./service/endpoint-service";
import { Operations, OperationService } from "./service/operations";
import { emptyWorld, type LocalOperation, readWorld, worldSaver } from "./service/world";

export interface LocalIdsSettings {
  /** @default the system's clock */
  readonly clock?: { now(): number } | undefined;
  /**
   * The number of polls (of an operation or its endpoint) after which an operation is done. With 0, it is done in
   * the first response.
   *
   * @default 2
   */
  readonly pollsUntilDone?: number | undefined;
  /** The duration of an operation in milliseconds. Replaces `pollsUntilDone`. */
  readonly operationDurationMs?: number | undefined;
  /** The maximum number of endpoints per zone and project. @default 10 */
  readonly quota?: number | undefined;
  /** Receives a line for each change. */
  readonly log?: ((line: string) => void) | undefined;
  /** The file that stores the endpoints across restarts. @default none: they are kept in memory */
  readonly stateFile?: string | undefined;
  /** Returns the HTTP status with which a request fails, for experiments. @default none fails */
  readonly failWith?: ((request: LocalRequest) => number | undefined) | undefined;
  /** Returns an error with which an operation fails. @default none */
  readonly operationFailure?: ((operation: LocalOperation) => RpcStatus | undefined) | undefined;
}

interface LocalIds {
  /**
   * Listens on a loopback address. Port 0 means any free port.
   *
   * `url` is the base URL for clients, with the trailing `/v1/`.
   */
  listen(address: { readonly port: number; readonly host?: string }): Promise<{ url: string }>;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

/** The API, apart from its server. */
interface IdsHandler {
  readonly read: (message: IncomingMessage) => Promise<LocalRequest>;
  readonly answer: (request: LocalRequest) => Answer;
}

/**
 * Creates the local back end: the REST API of the intrusion detection service, on this machine only.
 *
 * @throws LocalServiceError if the state file cannot be used
 */
export function createLocalIds(settings: LocalIdsSettings = {}): LocalIds {
  const { read, answer } = idsHandler(settings);
  return serveIds(async (message, response) => {
    const { status, headers, body } = answer(await read(message));
    answerBytes(response, status, body, headers);
  });
}

/** Serves the API with a listener. Errors have Google's error model. */
export function serveIds(listener: Listener): LocalIds {
  let service: Service | undefined;
  return {
    async listen({ port, host }) {
      service = await startService(listener, { port, host, refuse });
      return { url: `${service.url}/v1/` };
    },
    async close() {
      await service?.close();
    },
  };
}

export function idsHandler(settings: LocalIdsSettings): IdsHandler {
  const { clock = { now: Date.now }, stateFile, log = () => undefined } = settings;
  const now = () => clock.now();
  const world = stateFile === undefined ? emptyWorld() : readWorld(stateFile);
  const save = stateFile === undefined ? () => undefined : worldSaver(stateFile, world);
  const operations = new Operations(world, {
    now,
    log,
    pollsUntilDone: settings.pollsUntilDone ?? 2,
    operationDurationMs: settings.operationDurationMs,
    failure: settings.operationFailure ?? (() => undefined),
  });
  const { quota = 10 } = settings;
  const route = createRouter(
    new EndpointService(world, operations, { now, log, quota }),
    new OperationService(world, operations),
  );
  return {
    read: readRequest,
    answer(request) {
      if (request.method === "GET" && request.path === "/") return hint;
      const status = settings.failWith?.(request);
      if (status !== undefined) return injectedFailure(status);
      operations.settle();
      try {
        return json(200, route(request));
      } catch (failure) {
        return refusal(failure);
      } finally {
        // Before the response is sent: if the process is killed, what a client has received is kept.
        save();
      }
    },
  };
}

const maxBodyBytes = 1_000_000;

type Answer = ReturnType<typeof json>;

const hint: Answer = {
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: Buffer.from(
    "Trivet's local back end of the intrusion detection service: the API is below /v1/\n",
  ),
};

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

/** Returns a failure in Google's error model. */
export function injectedFailure(code: number): Answer {
  const message = `an injected fault: HTTP ${code}`;
  return json(code, { error: { code, message, status: statusNames[code] } });
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

function refuse(response: ServerResponse, failure: unknown): void {
  const { status, headers, body } = refusal(failure);
  answerBytes(response, status, body, headers);
}

function refusal(failure: unknown): Answer {
  if (!(failure instanceof HttpFailure)) {
    const message = `this is a bug in the local back end: ${String(failure)}`;
    return refusal(rpcError("INTERNAL", message));
  }
  const { status, message, body } = failure;
  if (body !== undefined) return json(status, body);
  return refusal(rpcError(status === 403 ? "PERMISSION_DENIED" : "INVALID_ARGUMENT", message));
}

function json(status: number, value: unknown) {
  const headers = { "content-type": "application/json; charset=UTF-8" };
  return { status, headers, body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) };
}
