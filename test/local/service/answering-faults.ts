import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Listener } from "../../../src/local/service/service";

/** A failure of a request, for tests. Unless stated otherwise, the request still has its effect. */
export type Fault =
  /** Accepts the request and never responds. */
  | ({ readonly kind: "never answer" } & Early)
  /** Resets the connection before the response. */
  | ({ readonly kind: "reset" } & Early)
  /** Sends a response in place of the service, with a status such as 429 or 503. */
  | ({
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly body?: string | Uint8Array | undefined;
    } & Early)
  /** Waits before the service receives the request. */
  | { readonly kind: "delay"; readonly milliseconds: number }
  /** Sends this many bytes of the service's response, then closes the connection. */
  | { readonly kind: "truncate"; readonly bytes: number }
  /** Sends the headers of the response, then this many bytes in each interval. */
  | { readonly kind: "trickle"; readonly bytes: number; readonly everyMs: number }
  /** Changes the service's response. The content-length is updated. */
  | { readonly kind: "tamper"; readonly change: (answer: WholeAnswer) => WholeAnswer };

interface Early {
  /**
   * Injects the fault after the service has handled the request.
   *
   * @default false: the service never receives the request
   */
  readonly afterEffect?: boolean | undefined;
}

/** Called once per request. Undefined means no fault. */
export type FaultsOf<R> = (request: R) => Fault | undefined;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The whole body, or a stream. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** A response whose body has been read. */
export interface WholeAnswer extends Answer {
  readonly body: Buffer;
}

interface AnsweringSettings<R> {
  /** Reads the parts of a request that the service and its faults need. */
  readonly read: (request: IncomingMessage) => R | Promise<R>;
  /** Handles a request. The signal is aborted when the client disconnects. */
  readonly answer: (request: R, signal: AbortSignal) => Answer | Promise<Answer>;
  /** @default none */
  readonly faults?: FaultsOf<R> | undefined;
}

/** Creates a listener whose responses are values, so that faults can drop, truncate and change them. */
export function answering<R>({ read, answer, faults }: AnsweringSettings<R>): Listener {
  return async (message, response) => {
    const request = await read(message);
    const fault = faults?.(request);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    if (fault?.kind === "delay") await wait(fault.milliseconds, undefined, { ref: false });
    const isHandled = hasEffect(fault);
    if (!isHandled) message.resume();
    const real = isHandled ? await answer(request, gone.signal) : nothing;
    await deliver(fault, real, response);
  };
}

const nothing: Answer = { status: 500, headers: {}, body: Buffer.alloc(0) };

function hasEffect(fault: Fault | undefined): boolean {
  const isEarly =
    fault?.kind === "never answer" || fault?.kind === "reset" || fault?.kind === "answer";
  return !isEarly || fault.afterEffect === true;
}

async function deliver(
  fault: Fault | undefined,
  real: Answer,
  response: ServerResponse,
): Promise<void> {
  if (fault === undefined || fault.kind === "delay") return send(response, real);
  const body = await wholeBody(real);
  switch (fault.kind) {
    case "never answer":
      return;
    case "reset":
      response.req.socket.resetAndDestroy();
      return;
    case "answer": {
      const { status, headers = {}, body: text = "" } = fault;
      return send(response, { status, headers, body: Buffer.from(text) });
    }
    case "truncate":
      response.writeHead(real.status, headersOf(real));
      response.write(body.subarray(0, fault.bytes), () => response.destroy());
      return;
    case "trickle":
      response.writeHead(real.status, headersOf(real));
      for (let start = 0; start < body.byteLength; start += fault.bytes) {
        if (response.destroyed) return;
        response.write(body.subarray(start, start + fault.bytes));
        await wait(fault.everyMs, undefined, { ref: false });
      }
      response.end();
      return;
    case "tamper": {
      const changed = fault.change({ ...real, body });
      const headers = { ...changed.headers };
      delete headers["transfer-encoding"];
      // The response to HEAD has the length of the body that is not sent.
      if (response.req.method !== "HEAD") delete headers["content-length"];
      return send(response, { ...changed, headers });
    }
  }
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  const { status, body } = answer;
  response.writeHead(status, headersOf(answer));
  if (!ArrayBuffer.isView(body)) await pipeline(body, response);
  else response.end(response.req.method === "HEAD" ? undefined : body);
}

/** Adds the content-length of a whole body, unless it is already set. */
function headersOf({ headers, body }: Answer): OutgoingHttpHeaders {
  const given = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : [...value]]],
    ),
  );
  if (!ArrayBuffer.isView(body) || "transfer-encoding" in given) return given;
  return { "content-length": String(body.byteLength), ...given };
}

async function wholeBody({ body }: Answer): Promise<Buffer> {
  if (ArrayBuffer.isView(body)) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
