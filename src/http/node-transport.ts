import { readFileSync } from "node:fs";
import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { createSecureContext, rootCertificates, TLSSocket, type SecureContext } from "node:tls";
import { environmentProxy } from "./environment-proxy";
import { isLoopbackHost } from "../schema/loopback";
import {
  SERVER_SILENT,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from "./transport";

/** The failure of a proxy that does not lead to the server. */
const PROXY_REFUSED = "PROXY_REFUSED";

/** Shorter than the time after which servers close a connection that nobody uses. */
const idleMaxMs = 4_000;

/**
 * HTTP by Node's own client: reach it by `lazyTransport` only, since it takes time to load.
 *
 * Honours HTTP(S)_PROXY and NO_PROXY, except for loopback addresses, and the extra root
 * certificates of NODE_EXTRA_CA_CERTS, which the provider's launcher renames to
 * TRIVET_EXTRA_CA_CERTS so that Node does not read them at every start.
 */
export function createNodeTransport(
  environment: Readonly<NodeJS.ProcessEnv>,
  connectMaxMs = 10_000,
): Transport {
  const settings = { keepAlive: true, timeout: idleMaxMs };
  const direct = { http: new HttpAgent(settings), https: new HttpsAgent(settings) };
  let known: TlsOptions | undefined;
  const tls = (): TlsOptions => (known ??= tlsOptions(environment));
  const proxyOf = environmentProxy(environment);
  const tunnels = new Map<string, HttpAgent>();

  const tunnelThrough = async (proxy: string): Promise<HttpAgent> => {
    // Most environments have no proxy, and do not pay for its library.
    const { HttpsProxyAgent } = await import("https-proxy-agent");
    const tunnel = tunnels.get(proxy) ?? new HttpsProxyAgent(proxy, { ...settings, ...tls() });
    tunnels.set(proxy, tunnel);
    return tunnel;
  };

  return {
    async send(request) {
      const url = new URL(request.url);
      const isSecure = url.protocol === "https:";
      const proxy = isLoopbackHost(url.hostname) ? undefined : proxyOf(url);
      const own = isSecure ? direct.https : direct.http;
      const agent = proxy === undefined ? own : await tunnelThrough(proxy);
      await noticeClosed(agent);
      const { method, headers, silenceMs = 0 } = request;
      // The time-out is one of the agent's for connections that nobody uses, unless it is given here.
      const options = { method, agent, timeout: silenceMs, headers: withLength(request, headers) };
      return exchange(
        isSecure ? requestHttps(url, { ...options, ...tls() }) : requestHttp(url, options),
        request,
        connectMaxMs,
      );
    },
    close() {
      for (const agent of [direct.http, direct.https, ...tunnels.values()]) agent.destroy();
      return Promise.resolve();
    },
  };
}

/**
 * Lets connections that wait for another request read what has come for them: one that the server has closed
 * meanwhile is then not used, and one that it has written to unasked does not take that for an answer.
 */
async function noticeClosed({ freeSockets }: HttpAgent): Promise<void> {
  if (Object.keys(freeSockets).length === 0) return;
  // The first turn ends before sockets are looked at.
  await setImmediate();
  await setImmediate();
}

/** Node knows the length of a body by itself for some methods only. */
function withLength(
  { body }: TransportRequest,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  if (body === undefined || isIterated(body)) return { ...headers };
  return { ...headers, "content-length": String(Buffer.byteLength(body)) };
}

function exchange(
  sent: ClientRequest,
  { body, signal, silenceMs = 0 }: TransportRequest,
  connectMaxMs: number,
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const fail = (failure: Error): void => {
      release();
      // A request that waits for a proxy's connection would not tell.
      reject(failure);
      // Whoever waits for the body learns why it ended, not only that the connection was closed.
      answer?.destroy(failure);
      sent.destroy(failure);
    };
    const abort = (): void => {
      fail(failureOf("ABORT_ERR", "the request was ended"));
    };
    const stopConnecting = limitConnecting(sent, connectMaxMs, fail);
    const stopListening = onSilence(sent, silenceMs, () => {
      // Who reads slowly, or sends slowly, is not kept waiting by the server.
      const isServersTurn =
        answer === undefined
          ? sent.writableEnded || sent.writableNeedDrain
          : answer.readableLength === 0;
      if (isServersTurn) fail(failureOf(SERVER_SILENT, `not a byte within ${silenceMs} ms`));
    });
    const release = (): void => {
      signal.removeEventListener("abort", abort);
      stopConnecting();
      stopListening();
    };
    signal.addEventListener("abort", abort, { once: true });
    sent.once("close", release);
    sent.on("error", reject);
    // The library would hand on the proxy's words as if they were the server's.
    sent.once("proxyConnect", ({ statusCode }: { readonly statusCode: number }) => {
      if (statusCode === 200) return;
      fail(failureOf(PROXY_REFUSED, `the proxy opened no connection (status ${statusCode})`));
    });
    sent.once("response", (response) => {
      answer = response;
      // A body that is cut off while nobody reads it is no reason to end the process.
      response.on("error", () => undefined);
      // What is left of a body is of no use to a server that has answered already.
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
    else if (isIterated(body)) void sendStream(body, sent);
    else sent.end(body);
  });
}

/** A failure of the body ends the request, and is its failure. */
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

/** A body that is not as long as was announced would leave the rest to the next request, or wait for ever. */
async function* asAnnounced(
  body: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array> {
  const wrong = (): Error => failureOf("WRONG_LENGTH", `the body has not its ${length} bytes`);
  let left = length;
  for await (const chunk of body) {
    left -= chunk.byteLength;
    if (left < 0) throw wrong();
    yield chunk;
  }
  if (left > 0) throw wrong();
}

/** Tells of each time in which no byte came or went; returns how to stop that. */
function onSilence(sent: ClientRequest, silenceMs: number, tell: () => void): () => void {
  let stop = (): void => undefined;
  sent.once("socket", (socket: Socket) => {
    const again = (): void => {
      socket.setTimeout(silenceMs);
      tell();
    };
    socket.on("timeout", again);
    stop = () => socket.off("timeout", again);
  });
  return () => {
    stop();
  };
}

/** Gives a connection up that is not there in time; returns how to stop waiting. */
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

function failureOf(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function isIterated(
  body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined,
): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

interface TlsOptions {
  readonly secureContext?: SecureContext;
}

/**
 * One context for all connections, created with the first that needs it: Node would read some 300
 * certificates again for each connection.
 */
function tlsOptions(environment: Readonly<NodeJS.ProcessEnv>): TlsOptions {
  const files = [environment["TRIVET_EXTRA_CA_CERTS"], environment["NODE_EXTRA_CA_CERTS"]];
  const extra = files.flatMap((file) => (file === undefined || file === "" ? [] : [read(file)]));
  if (extra.length === 0) return {};
  return { secureContext: createSecureContext({ ca: [...rootCertificates, ...extra] }) };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw Object.assign(
      new Error(`the root certificates named by NODE_EXTRA_CA_CERTS cannot be read: ${file}`, {
        cause,
      }),
      { code: "EXTRA_CA_CERTS" },
    );
  }
}

function firstValues(headers: IncomingMessage["headersDistinct"]): TransportAnswer["headers"] {
  const values: Record<string, string> = {};
  for (const [name, all = []] of Object.entries(headers)) {
    const first = name === "www-authenticate" ? all.join(", ") : all[0];
    if (first !== undefined) values[name] = first;
  }
  return values;
}
