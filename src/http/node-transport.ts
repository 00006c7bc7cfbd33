import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { environmentProxy } from "./environment-proxy";
import { tlsOptions, type TlsOptions } from "./extra-roots";
import { goesToLoopback, loopbackLookup } from "./loopback-lookup";
import { probeTls } from "./probe-tls";
import {
  serverSilent,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from "./transport";

/** The code of a proxy's refusal to connect to the server. */
const proxyRefused = "PROXY_REFUSED";

/** Shorter than the time after which servers close idle connections. */
const idleMaxMs = 4_000;

/**
 * Creates a transport with the HTTP client of Node.js. Use it only through `lazyTransport`, because
 * it takes time to load.
 *
 * Honours HTTP(S)_PROXY and NO_PROXY (except for loopback addresses), and the extra root
 * certificates in NODE_EXTRA_CA_CERTS. The provider's launcher renames that variable to
 * TRIVET_EXTRA_CA_CERTS, so that Node.js does not read the certificates at every start.
 *
 * @param connectMaxMs the longest time to connect, in milliseconds
 */
export function createNodeTransport(
  environment: Readonly<NodeJS.ProcessEnv>,
  connectMaxMs = 10_000,
): Transport {
  const settings = { keepAlive: true, timeout: idleMaxMs };
  const local = { ...settings, lookup: loopbackLookup };
  const direct = { http: new HttpAgent(local), https: new HttpsAgent(local) };
  let known: TlsOptions | undefined;
  const tls = (): TlsOptions => (known ??= tlsOptions(environment));
  const proxyOf = environmentProxy(environment);
  const tunnels = new Map<string, HttpAgent>();

  const tunnelThrough = async (proxy: string): Promise<HttpAgent> => {
    // Most environments have no proxy and do not need to load its library.
    const { HttpsProxyAgent } = await import("./https-proxy.js");
    // The server's own TLS has its settings from the request.
    const own = new URL(proxy).protocol === "https:" ? tls() : {};
    const tunnel = tunnels.get(proxy) ?? new HttpsProxyAgent(proxy, { ...settings, ...own });
    tunnels.set(proxy, tunnel);
    return tunnel;
  };

  return {
    async send(request) {
      const url = new URL(request.url);
      const isSecure = url.protocol === "https:";
      const proxy = goesToLoopback(url.hostname) ? undefined : proxyOf(url);
      const own = isSecure ? direct.https : direct.http;
      const agent = proxy === undefined ? own : await tunnelThrough(proxy);
      await noticeClosed(agent);
      const { method, headers, silenceMs = 0, mayLackTls = false } = request;
      if (isSecure && mayLackTls && proxy === undefined) {
        await probeTls(url, request.signal, connectMaxMs);
      }
      // Without a timeout here, the agent's timeout for idle connections would apply.
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
 * Lets idle connections process what has arrived. A connection that the server has closed in the
 * meantime is then not reused, and unexpected data is not mistaken for a response.
 */
async function noticeClosed({ freeSockets }: HttpAgent): Promise<void> {
  if (Object.keys(freeSockets).length === 0) return;
  // The first turn ends before sockets are polled.
  await setImmediate();
  await setImmediate();
}

/** For some methods, Node.js does not set the length of a body. */
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
    else if (isIterated(body)) void sendStream(body, sent);
    else sent.end(body);
  });
}

/** If the body fails, the request fails with the same error. */
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

function failureOf(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function isIterated(
  body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined,
): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

function firstValues(headers: IncomingMessage["headersDistinct"]): TransportAnswer["headers"] {
  const values: Record<string, string> = {};
  for (const [name, all = []] of Object.entries(headers)) {
    const first = name === "www-authenticate" ? all.join(", ") : all[0];
    if (first !== undefined) values[name] = first;
  }
  return values;
}
