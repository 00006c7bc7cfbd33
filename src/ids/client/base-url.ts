import { isLoopbackHost } from "../../schema";

/** The production service. */
export const idsBaseUrl = "https://ids.googleapis.com/v1/";

/** A valid base URL that ends in `/v1/`, or a problem as a predicate, such as "is not a URL". */
type BaseUrl = { readonly url: string } | { readonly problem: string };

/** Validates a base URL. Adds a missing trailing slash. */
export function parseBaseUrl(text: string): BaseUrl {
  const example = `an example is ${idsBaseUrl}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: `is not a URL; ${example}` };
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { problem: `has the scheme ${url.protocol.slice(0, -1)}; it must be https` };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "contains user information; remove it, and use access_token or credentials" };
  }
  if (url.search !== "" || url.hash !== "") {
    return { problem: `has a query string or a fragment; remove it; ${example}` };
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    return {
      problem: `sends the access token in clear text to ${url.hostname}; use https (plain http is accepted only for 127.0.0.1, localhost and [::1])`,
    };
  }
  if (!/\/v1\/?$/.test(url.pathname)) {
    return {
      problem: `has the path ${url.pathname}; it must end with the API version /v1/; ${example}`,
    };
  }
  return { url: url.href.endsWith("/") ? url.href : `${url.href}/` };
}
