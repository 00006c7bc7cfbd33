import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import methods from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import { isLoopbackHost } from "./base-url";
import type { HttpAnswer, Transport } from "./transport";

// What undici's index does; its own proxy agent relies on it.
Object.assign(Dispatcher.prototype, methods);

/**
 * HTTP by undici, which makes this file expensive to load: reach it by `lazyTransport` only.
 *
 * Honours HTTP(S)_PROXY and NO_PROXY, except for loopback addresses, and the extra root
 * certificates of NODE_EXTRA_CA_CERTS, which the provider's launcher renames to
 * TRIVET_EXTRA_CA_CERTS so that Node does not read them at every start.
 */
export function createHttpTransport(environment: Readonly<NodeJS.ProcessEnv>): Transport {
  const tls = tlsOptions(environment);
  // The caller's signal is the only clock: undici's own limits would cut a slow create short.
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  const direct = new Agent({ ...limits, connect: tls });
  const proxied = new EnvHttpProxyAgent({
    ...limits,
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
    httpProxy: environment["http_proxy"] ?? environment["HTTP_PROXY"] ?? "",
    httpsProxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"] ?? "",
    noProxy: environment["no_proxy"] ?? environment["NO_PROXY"] ?? "",
  });
  return {
    async send({ method, url, headers, body, signal, maxAnswerBytes }) {
      const parsed = new URL(url);
      const answer = await (isLoopbackHost(parsed.hostname) ? direct : proxied).request({
        origin: parsed.origin,
        path: `${parsed.pathname}${parsed.search}`,
        method,
        headers: { ...headers },
        body: body ?? null,
        signal,
      });
      return {
        status: answer.statusCode,
        headers: firstValues(answer.headers),
        body: await readText(answer.body, maxAnswerBytes),
      };
    },
    async close() {
      await Promise.all([direct.destroy(), proxied.destroy()]);
    },
  };
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

function firstValues(headers: Dispatcher.ResponseData["headers"]): HttpAnswer["headers"] {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) values[name.toLowerCase()] = first;
  }
  return values;
}

async function readText(body: AsyncIterable<unknown>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxBytes) {
      const message = `the answer is larger than ${Math.round(maxBytes / 1_000_000)} MB`;
      throw Object.assign(new Error(message), { code: "ANSWER_TOO_LARGE" });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
