import { readFileSync } from "node:fs";
import { Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { setImmediate } from "node:timers/promises";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { goesToLoopback } from "../schema";
import { networkZone } from "./network-zone";
import { exchange, headersOf, loopbackLookup } from "./node-exchange";
import { probeTls } from "./probe-tls";
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
  const plain = new HttpAgent(local);
  // Connections and TLS sessions are shared by those who trust the same roots.
  const secure = new Map<string, HttpsAgent>();
  const secureAgent = (roots: string): HttpsAgent => {
    const agent = secure.get(roots) ?? new HttpsAgent(local);
    secure.set(roots, agent);
    return agent;
  };
  const tls = (roots: string): TlsOptions => tlsOptions(environment, roots);
  const proxyOf = environmentProxy(environment);
  const tunnels = new Map<string, HttpAgent>();

  const tunnelThrough = async (proxy: string, roots: string): Promise<HttpAgent> => {
    // Most environments have no proxy and do not need to load its library.
    const { HttpsProxyAgent } = await import("./https-proxy.js");
    // The server's own TLS has its settings from the request.
    const own = new URL(proxy).protocol === "https:" ? tls("") : {};
    const name = JSON.stringify([proxy, roots]);
    const tunnel = tunnels.get(name) ?? new HttpsProxyAgent(proxy, { ...settings, ...own });
    tunnels.set(name, tunnel);
    return tunnel;
  };

  return {
    async send(request) {
      const url = new URL(request.url);
      const isSecure = url.protocol === "https:";
      const proxy = goesToLoopback(url.hostname) ? undefined : proxyOf(url);
      const { method, silenceMs = 0, mayLackTls = false, rootCertificates: roots = "" } = request;
      const own = isSecure ? secureAgent(roots) : plain;
      const agent = proxy === undefined ? own : await tunnelThrough(proxy, roots);
      await noticeClosed(agent);
      if (isSecure && mayLackTls && proxy === undefined) {
        await probeTls(url, request.signal, connectMaxMs);
      }
      // Without a timeout here, the agent's timeout for idle connections would apply.
      const options = { method, agent, timeout: silenceMs, headers: headersOf(request) };
      return exchange(
        isSecure ? requestHttps(url, { ...options, ...tls(roots) }) : requestHttp(url, options),
        request,
        connectMaxMs,
      );
    },
    close() {
      for (const agent of [plain, ...secure.values(), ...tunnels.values()]) agent.destroy();
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

/** Returns the URL of the proxy for a request; undefined without a proxy. */
type ProxyOf = (url: URL) => string | undefined;

/**
 * Reads the proxies from HTTP_PROXY and HTTPS_PROXY (by default the value of HTTP_PROXY), in
 * uppercase or lowercase. The hosts in NO_PROXY have no proxy: names that include their subdomains,
 * each with or without a port, or `*` for all hosts. As in curl, `*` must be the only entry. Link-local
 * hosts have no proxy either: those are the metadata services of clouds, which issue tokens to this
 * machine alone.
 *
 * @see https://curl.se/docs/manpage.html#--noproxy
 */
export function environmentProxy(environment: Readonly<NodeJS.ProcessEnv>): ProxyOf {
  const setting = (name: string): string =>
    environment[name.toLowerCase()] ?? environment[name.toUpperCase()] ?? "";
  const forHttp = setting("http_proxy");
  const forHttps = setting("https_proxy") || forHttp;
  const exceptions = setting("no_proxy")
    .split(/[,\s]+/)
    .filter((entry) => entry !== "");
  if (exceptions.length === 1 && exceptions[0] === "*") return () => undefined;
  return (url) => {
    const proxy = url.protocol === "https:" ? forHttps : forHttp;
    if (proxy === "" || networkZone(url.hostname) === "link-local") return undefined;
    return exceptions.some((entry) => covers(entry, url)) ? undefined : proxy;
  };
}

function covers(entry: string, { protocol, hostname, port }: URL): boolean {
  const [, name = "", only = ""] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  const used = port || (protocol === "https:" ? "443" : "80");
  if (only !== "" && only !== used) return false;
  // A leading dot or "*." makes no difference.
  const domain = name.replace(/^\*?\./, "").toLowerCase();
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** The options by which a connection trusts the extra root certificates of the environment. */
interface TlsOptions {
  readonly secureContext?: SecureContext;
}

// Parsing about 300 certificates takes long, so all clients of a process share the result.
const contexts = new Map<string, SecureContext>();

/**
 * The TLS settings for the extra root certificates in NODE_EXTRA_CA_CERTS, or in TRIVET_EXTRA_CA_CERTS, as the
 * provider's launcher renames it. The certificates are parsed once in a process. Call this only for a connection
 * that uses TLS.
 *
 * @param roots more root certificates, in PEM; empty for none
 */
function tlsOptions(environment: Readonly<NodeJS.ProcessEnv>, roots: string): TlsOptions {
  const { TRIVET_EXTRA_CA_CERTS: renamed = "", NODE_EXTRA_CA_CERTS: given = "" } = environment;
  const files = [...new Set([renamed, given])].filter((file) => file !== "");
  if (files.length === 0 && roots === "") return {};
  const key = JSON.stringify([files, roots]);
  let secureContext = contexts.get(key);
  if (secureContext === undefined) {
    const more = [...files.map(read), ...(roots === "" ? [] : [roots])];
    secureContext = createSecureContext({ ca: [...rootCertificates, ...more] });
    contexts.set(key, secureContext);
  }
  return { secureContext };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw Object.assign(
      new Error(`the root certificates in NODE_EXTRA_CA_CERTS cannot be read: ${file}`, {
        cause,
      }),
      { code: "EXTRA_CA_CERTS" },
    );
  }
}
