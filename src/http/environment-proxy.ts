/** Gives the URL of the proxy that a request is to go through, if there is one. */
export type ProxyOf = (url: URL) => string | undefined;

/**
 * The proxies of HTTP_PROXY and HTTPS_PROXY (which defaults to the former), in either letter case, except for
 * the hosts of NO_PROXY: `*`, or names that stand for their subdomains as well, each with or without a port.
 */
export function environmentProxy(environment: Readonly<NodeJS.ProcessEnv>): ProxyOf {
  const setting = (name: string): string =>
    environment[name.toLowerCase()] ?? environment[name.toUpperCase()] ?? "";
  const forHttp = setting("http_proxy");
  const forHttps = setting("https_proxy") || forHttp;
  const exceptions = setting("no_proxy")
    .split(/[,\s]+/)
    .filter((entry) => entry !== "");
  return (url) => {
    const proxy = url.protocol === "https:" ? forHttps : forHttp;
    return proxy === "" || exceptions.some((entry) => covers(entry, url)) ? undefined : proxy;
  };
}

function covers(entry: string, { protocol, hostname, port }: URL): boolean {
  if (entry === "*") return true;
  const [, name = "", only = ""] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  const used = port || (protocol === "https:" ? "443" : "80");
  if (only !== "" && only !== used) return false;
  // A leading dot or "*." adds nothing.
  const domain = name.replace(/^\*?\./, "").toLowerCase();
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
