import dns from "node:dns";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { LookupFunction, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { isLocalhostName } from "../schema";
import { failureOf } from "./http-error";
import { serverSilent, type TransportAnswer, type TransportRequest } from "./transport";

/** The code of a proxy's refusal to connect to the server. */
const proxyRefused = "PROXY_REFUSED";

/**
 * Sends a request with its body, and waits for the response.
 *
 * @param sent the request, of which nothing is sent yet
 * @param connectMaxMs the longest time to connect, in milliseconds
 */
export function exchange(
  sent: ClientRequest,
  { body, signal, silenceMs = 0 }: TransportRequest,
  connectMaxMs: number,
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const fail = (failure: Error): void => {
      release();
      // A request that waits for a proxy's connection would not report it.
      reject(failure);
      // A reader of the body gets the reason, not only a closed connection.
      answer?.destroy(failure);
      sent.destroy(failure);
    };
    const abort = (): void => {
      fail(failureOf("ABORT_ERR", "the request was aborted"));
    };
    const stopConnecting = limitConnecting(sent, connectMaxMs, fail);
    const stopListening = onSilence(sent, silenceMs, () => {
      // A slow reader or sender is not the server's fault.
      const isServersTurn =
        answer === undefined
          ? sent.writableEnded || sent.writableNeedDrain
          : answer.readableLength === 0;
      if (isServersTurn) fail(failureOf(serverSilent, `no data within ${silenceMs} ms`));
    });
    const release = (): void => {
      signal.removeEventListener("abort", abort);
      stopConnecting();
      stopListening();
    };
    signal.addEventListener("abort", abort, { once: true });
    sent.once("close", release);
    sent.on("error", reject);
    // The library would return the proxy's response as if it were the server's.
    sent.once("proxyConnect", ({ statusCode }: { readonly statusCode: number }) => {
      if (statusCode === 200) return;
      fail(failureOf(proxyRefused, `the proxy refused the connection (status ${statusCode})`));
    });
    sent.once("response", (response) => {
      answer = response;
      // A body that breaks off while it is not being read must not end the process.
      response.on("error", () => undefined);
      // A server that has already responded does not need the rest of the request body.
      response.once("end", () => {
        if (!sent.writableFinished) sent.destroy();
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: firstValues(response.headersDistinct),
        body: response,
      });
    });
    if (signal.aborted) abort();
    else sendBody(body, sent);
  });
}

/** Calls back after each period without any data. Returns a function that stops it. */
function onSilence(sent: ClientRequest, silenceMs: number, callback: () => void): () => void {
  let stop = (): void => undefined;
  sent.once("socket", (socket: Socket) => {
    const again = (): void => {
      socket.setTimeout(silenceMs);
      callback();
    };
    socket.on("timeout", again);
    stop = () => socket.off("timeout", again);
  });
  return () => {
    stop();
  };
}

/**
 * Fails the request if no connection is established in time. Returns a function that stops the
 * timer.
 */
function limitConnecting(
  sent: ClientRequest,
  connectMaxMs: number,
  fail: (failure: Error) => void,
): () => void {
  const timer = setTimeout(() => {
    fail(failureOf("ETIMEDOUT", `no connection within ${connectMaxMs} ms`));
  }, connectMaxMs);
  const stop = (): void => {
    clearTimeout(timer);
  };
  sent.once("socket", (socket: Socket) => {
    const isSecure = socket instanceof TLSSocket;
    if (sent.reusedSocket || (!isSecure && !socket.connecting)) stop();
    else socket.once(isSecure ? "secureConnect" : "connect", stop);
  });
  return stop;
}

function firstValues(headers: IncomingMessage["headersDistinct"]): TransportAnswer["headers"] {
  const values: Record<string, string> = {};
  for (const [name, all = []] of Object.entries(headers)) {
    const first = name === "www-authenticate" ? all.join(", ") : all[0];
    if (first !== undefined) values[name] = first;
  }
  return values;
}

/** The headers of a request. For some methods, Node.js does not set the length of a body. */
export function headersOf({ body, headers }: TransportRequest): Record<string, string> {
  if (body === undefined || isIterated(body)) return { ...headers };
  return { ...headers, "content-length": String(Buffer.byteLength(body)) };
}

/** Sends the body of a request. If it fails, the request fails with the same error. */
function sendBody(body: TransportRequest["body"], sent: ClientRequest): void {
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

/**
 * Resolves `localhost` and the names below it to this machine without asking a resolver, and other names as
 * usual.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export const loopbackLookup: LookupFunction = (host, options, callback) => {
  if (!isLocalhostName(host)) {
    dns.lookup(host, options, callback);
    return;
  }
  const isWanted = ({ family }: dns.LookupAddress): boolean =>
    [0, undefined, family, `IPv${family}`].includes(options.family);
  const found = loopback.filter(isWanted);
  process.nextTick(() => {
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? "127.0.0.1", found[0]?.family ?? 4);
  });
};

const loopback: readonly dns.LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
