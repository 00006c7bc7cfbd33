import { isIPv6 } from "node:net";
import { problemRule } from "../../schema";

/**
 * A URL or a path, absolute or relative, as defined by RFC 3986 and parsed by Go's `net/url`. Any scheme
 * is accepted, and so are the empty string, `builtin:x` and `data:`.
 */
export const urlRule = problemRule("must be a URL or a path", urlProblem);

/**
 * Returns the reason for which a string is not a URL, as a message that begins with `must`; undefined for a
 * URL.
 */
export function urlProblem(text: string): string | undefined {
  const [url, fragment] = cut(text, "#");
  // eslint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(url)) return "must not contain control characters";
  if (url === "*") return badEscape(fragment);
  if (url.startsWith(":")) return "must have a scheme before its first colon";
  const [, scheme = "", afterScheme = url] = /^([a-z][a-z\d+.-]*):([^]*)$/i.exec(url) ?? [];
  const [rest] = cut(afterScheme, "?");
  if (!rest.startsWith("/")) {
    // After a scheme this part is opaque and is not checked.
    if (scheme !== "") return badEscape(fragment);
    if (cut(rest, "/")[0].includes(":")) {
      return "must not have a colon in the first segment of a relative path";
    }
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || !rest.startsWith("///"));
  const slash = hasAuthority ? rest.indexOf("/", 2) : 0;
  const path = slash < 0 ? "" : rest.slice(slash);
  const authority = hasAuthority ? rest.slice(2, slash < 0 ? undefined : slash) : "";
  return (
    authorityProblem(scheme.toLowerCase(), authority) ?? badEscape(path) ?? badEscape(fragment)
  );
}

function authorityProblem(scheme: string, authority: string): string | undefined {
  const at = authority.lastIndexOf("@");
  const host = hostProblem(scheme, authority.slice(at + 1));
  if (host !== undefined || at < 0) return host;
  const user = authority.slice(0, at);
  if (!/^[\w.:~!$&'()*+,;=%@-]*$/.test(user)) {
    return "must percent-escape special characters in the user name and password";
  }
  return badEscape(user);
}

function hostProblem(scheme: string, host: string): string | undefined {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) return "must not contain [ inside the host";
  if (bracket === 0) return literalProblem(host);
  const first = host.indexOf(":");
  const last = host.lastIndexOf(":");
  // Database URLs may list several hosts, each with a port.
  const port = scheme === "http" || scheme === "https" ? first : last;
  return (port < 0 ? undefined : badPort(host.slice(port))) ?? badHostName(host);
}

/** Checks an IPv6 address in brackets, with an optional zone ID after `%25` (RFC 6874). */
function literalProblem(host: string): string | undefined {
  const end = host.lastIndexOf("]");
  if (end < 0) return "must close the [ in its host";
  const inner = host.slice(1, end);
  const [address, zone] = cut(inner, "%25");
  if (!isIPv6(address) || address.includes("%") || (zone === "" && inner.includes("%25"))) {
    return "must have an IPv6 address inside [ ]";
  }
  return badPort(host.slice(end + 1)) ?? badEscape(zone) ?? badZone(zone);
}

const badPort = (port: string): string | undefined =>
  /^(?::\d*)?$/.test(port) ? undefined : "must have a numeric port";

const badEscape = (text: string): string | undefined =>
  /%(?![\da-f]{2})/i.test(text) ? "must have two hexadecimal digits after each %" : undefined;

const mustBeHost =
  "must not contain spaces or other special characters in its host, even percent-escaped";

/** Checks the escapes in a host name, where only non-ASCII bytes may be escaped. */
const badHostName = (host: string): string | undefined =>
  badEscape(host) ??
  (/^(?:[\w.~!$&'()*+,;=:[\]<>"\x80-\uffff-]|%25|%[89a-f])*$/i.test(host) ? undefined : mustBeHost);

/**
 * Checks the escapes in a zone ID, where only characters that are valid without an escape, spaces and `%` may
 * be escaped.
 */
function badZone(zone: string): string | undefined {
  const plain = zone.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    if (character === " " || character === "%") return "";
    return character < "\x80" ? character : "%";
  });
  return plain.includes("%") ? mustBeHost : badHostName(plain);
}

function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
