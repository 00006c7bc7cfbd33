import { isLoopbackHost } from "../../schema/loopback";

/** The production service. */
export const idsBaseUrl = "https://ids.googleapis.com/v1/";

/** A checked base that ends in `/v1/`, or what is wrong with the text, as a sentence. */
export type BaseUrl = { readonly url: string } | { readonly problem: string };

/** Checks the base URL; a missing trailing slash is added. */
export function parseBaseUrl(text: string): BaseUrl {
  const example = `an example is ${idsBaseUrl}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: `is not a URL; ${example}` };
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { problem: `has the scheme ${url.protocol.slice(0, -1)}, only https can be used` };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "holds a user name or password; remove it, use access_token or credentials" };
  }
  if (url.search !== "" || url.hash !== "") {
    return { problem: `has a query or a fragment, only a path can be used; ${example}` };
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    return {
      problem: `sends the access token in clear text to ${url.hostname}; use https (plain http is accepted for 127.0.0.1, localhost and [::1] only)`,
    };
  }
  if (!/\/v1\/?$/.test(url.pathname)) {
    return {
      problem: `has the path ${url.pathname}, it has to end with the API version /v1/; ${example}`,
    };
  }
  return { url: url.href.endsWith("/") ? url.href : `${url.href}/` };
}
