import { Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { setImmediate } from "node:timers/promises";
import { environmentProxy } from "./environment-proxy";
import { tlsOptions, type TlsOptions } from "./extra-roots";
import { goesToLoopback, loopbackLookup } from "./loopback-lookup";
import { exchange } from "./node-exchange";
import { probeTls } from "./probe-tls";
import { headersOf } from "./request-body";
import type { Transport } from "./transport";

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
      const { method, silenceMs = 0, mayLackTls = false } = request;
      if (isSecure && mayLackTls && proxy === undefined) {
        await probeTls(url, request.signal, connectMaxMs);
      }
      // Without a timeout here, the agent's timeout for idle connections would apply.
      const options = { method, agent, timeout: silenceMs, headers: headersOf(request) };
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
