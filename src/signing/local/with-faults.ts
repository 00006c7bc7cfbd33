import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answerBytes } from "./http/answer";
import { answerFailure } from "./http/http-failure";
import { startService, type Service } from "./http/service";

/** What goes wrong with a request. */
export type Fault =
  /** Takes the request and never answers; the service does not see it. */
  | { readonly kind: "never answer" }
  /** The service does its work, and its answer is never sent. */
  | { readonly kind: "lose the answer" }
  /** Closes the connection before the service sees the request. */
  | { readonly kind: "reset" }
  /** Answers in place of the service, with a status such as 429 or 503. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly body?: string | Uint8Array | undefined;
    }
  /** Waits before the service sees the request. */
  | { readonly kind: "delay"; readonly milliseconds: number }
  /** Sends so many bytes of the service's answer, then closes the connection. */
  | { readonly kind: "truncate"; readonly bytes: number }
  /** Sends the answer's headers, then so many bytes in each interval. */
  | { readonly kind: "trickle"; readonly bytes: number; readonly everyMs: number }
  /** Changes the service's answer; its length is set anew. */
  | { readonly kind: "tamper"; readonly change: (answer: Answer) => Answer };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

export interface FaultyRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** How many requests came before this one. */
  readonly index: number;
}

/** Asked for each request; undefined lets it pass. */
export type Faults = (request: FaultyRequest) => Fault | undefined;

/**
 * A server in front of another one on this machine, at an address of its own, whose requests go
 * wrong as a function says. The request's Host header is handed on, so that addresses in answers
 * lead back here.
 */
export async function withFaults(target: string | URL, faults: Faults): Promise<Service> {
  let index = 0;
  const { hostname, port } = new URL(target);
  return startService((request, response) => {
    const { method = "GET", url: path = "/", headers } = request;
    const fault = faults({ method, path, headers, index });
    index += 1;
    serve({ hostname, port, fault }, request, response).catch((failure: unknown) => {
      answerFailure(request, response, failure);
    });
  });
}

interface Passage {
  readonly hostname: string;
  readonly port: string;
  readonly fault: Fault | undefined;
}

async function serve(
  { hostname, port, fault }: Passage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (fault?.kind) {
    case "never answer":
      request.resume();
      return;
    case "reset":
      request.socket.resetAndDestroy();
      return;
    case "answer":
      request.resume();
      answerBytes(response, fault.status, Buffer.from(fault.body ?? ""), fault.headers ?? {});
      return;
    case "delay":
      await wait(fault.milliseconds, undefined, { ref: false });
      break;
    default:
  }
  const { method = "GET", url: path = "/", headers } = request;
  const upstream = ask({ hostname, port, method, path, headers });
  request.pipe(upstream);
  response.once("close", () => upstream.destroy());
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once("response", resolve);
    upstream.once("error", reject);
  });
  await passOn(fault, answer, response);
}

async function passOn(
  fault: Fault | undefined,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode: status = 502, headers } = answer;
  switch (fault?.kind) {
    case "lose the answer":
      answer.resume();
      return;
    case "truncate": {
      const body = await readAll(answer);
      response.writeHead(status, headers);
      response.write(body.subarray(0, fault.bytes), () => response.destroy());
      return;
    }
    case "trickle": {
      const body = await readAll(answer);
      response.writeHead(status, headers);
      for (let start = 0; start < body.byteLength; start += fault.bytes) {
        if (response.destroyed) return;
        response.write(body.subarray(start, start + fault.bytes));
        await wait(fault.everyMs, undefined, { ref: false });
      }
      response.end();
      return;
    }
    case "tamper": {
      const changed = fault.change({ status, headers, body: await readAll(answer) });
      const isHead = response.req.method === "HEAD";
      const kept = copied(changed.headers);
      delete kept["transfer-encoding"];
      if (!isHead) kept["content-length"] = String(changed.body.byteLength);
      response.writeHead(changed.status, kept);
      response.end(isHead ? undefined : changed.body);
      return;
    }
    default:
      response.writeHead(status, headers);
      answer.pipe(response);
  }
}

function copied(headers: Answer["headers"]): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : [...value]]],
    ),
  );
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
