import type { ClientRequest } from "node:http";
import { failureOf } from "./failure";
import type { TransportRequest } from "./transport";

/** The headers of a request. For some methods, Node.js does not set the length of a body. */
export function headersOf({ body, headers }: TransportRequest): Record<string, string> {
  if (body === undefined || isIterated(body)) return { ...headers };
  return { ...headers, "content-length": String(Buffer.byteLength(body)) };
}

/** Sends the body of a request. If it fails, the request fails with the same error. */
export function sendBody(body: TransportRequest["body"], sent: ClientRequest): void {
  if (isIterated(body)) void sendStream(body, sent);
  else sent.end(body);
}

async function sendStream(body: AsyncIterable<Uint8Array>, sent: ClientRequest): Promise<void> {
  try {
    for await (const chunk of asAnnounced(body, Number(sent.getHeader("content-length")))) {
      if (sent.destroyed) return;
      if (!sent.write(chunk)) await drained(sent);
    }
    sent.end();
  } catch (failure) {
    sent.destroy(failure instanceof Error ? failure : new Error(String(failure)));
  }
}

function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      sent.off("drain", stop).off("close", stop);
      resolve();
    };
    sent.on("drain", stop).on("close", stop);
  });
}

/**
 * With a wrong content-length, the rest of the body would become part of the next request, or the
 * server would wait forever.
 */
async function* asAnnounced(
  body: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array> {
  const wrong = (): Error =>
    failureOf(
      "WRONG_LENGTH",
      `the length of the body differs from its content-length (${length} bytes)`,
    );
  let left = length;
  for await (const chunk of body) {
    left -= chunk.byteLength;
    if (left < 0) throw wrong();
    yield chunk;
  }
  if (left > 0) throw wrong();
}

function isIterated(body: TransportRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && Symbol.asyncIterator in body;
}
