import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import methods from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import { isLoopbackHost } from "../schema/loopback";
import type { Transport, TransportAnswer } from "./transport";

// What undici's index does; its own proxy agent relies on it.
Object.assign(Dispatcher.prototype, methods);

/**
 * HTTP by undici, which makes this file expensive to load: reach it by `lazyTransport` only.
 *
 * Honours HTTP(S)_PROXY and NO_PROXY, except for loopback addresses, and the extra root
 * certificates of NODE_EXTRA_CA_CERTS, which the provider's launcher renames to
 * TRIVET_EXTRA_CA_CERTS so that Node does not read them at every start.
 */
export function createUndiciTransport(environment: Readonly<NodeJS.ProcessEnv>): Transport {
  const tls = tlsOptions(environment);
  const direct = new Agent({ connect: tls });
  const proxied = new EnvHttpProxyAgent({
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
    httpProxy: environment["http_proxy"] ?? environment["HTTP_PROXY"] ?? "",
    httpsProxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"] ?? "",
    noProxy: environment["no_proxy"] ?? environment["NO_PROXY"] ?? "",
  });
  return {
    // Without `silenceMs` the caller's signal is the only clock: undici's own limits would cut a
    // slow answer short.
    async send({ method, url, headers, body, signal, silenceMs = 0 }) {
      const parsed = new URL(url);
      const answer = await (isLoopbackHost(parsed.hostname) ? direct : proxied).request({
        origin: parsed.origin,
        path: `${parsed.pathname}${parsed.search}`,
        method,
        headers: { ...headers },
        body: isIterated(body) ? Readable.from(body, { objectMode: false }) : (body ?? null),
        signal,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      });
      // A body that is cut off while nobody reads it is no reason to end the process.
      answer.body.on("error", () => undefined);
      return {
        status: answer.statusCode,
        headers: firstValues(answer.headers),
        body: answer.body,
      };
    },
    async close() {
      await Promise.all([direct.destroy(), proxied.destroy()]);
    },
  };
}

function isIterated(
  body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined,
): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

function tlsOptions(environment: Readonly<NodeJS.ProcessEnv>): { ca?: string[] } {
  const files = [environment["TRIVET_EXTRA_CA_CERTS"], environment["NODE_EXTRA_CA_CERTS"]];
  const extra = files.flatMap((file) => (file === undefined || file === "" ? [] : [read(file)]));
  return extra.length === 0 ? {} : { ca: [...rootCertificates, ...extra] };
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

function firstValues(headers: Dispatcher.ResponseData["headers"]): TransportAnswer["headers"] {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const several =
      Array.isArray(value) && key === "www-authenticate" ? value.join(", ") : undefined;
    const first = several ?? (Array.isArray(value) ? value[0] : value);
    if (first !== undefined) values[key] = first;
  }
  return values;
}
