import { networkZone } from "./network-zone";

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
