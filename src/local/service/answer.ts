import type { ServerResponse } from "node:http";

export function answerJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  answerBytes(response, status, Buffer.from(JSON.stringify(value)), {
    "content-type": "application/json",
    ...headers,
  });
}

/** Sends bytes as the response. A response to HEAD has only their headers. */
export function answerBytes(
  response: ServerResponse,
  status: number,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...headers, "content-length": String(body.byteLength) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

export function answerEmpty(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, status === 204 ? headers : { ...headers, "content-length": "0" });
  response.end();
}

/** An error that a listener throws to respond with a status. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The body of the response, in the format of the service. @default that of the listener */
    readonly body?: unknown,
  ) {
    super(message);
  }
}
