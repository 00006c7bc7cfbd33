import { isIPv6 } from "node:net";
import { rule } from "../../schema";

/**
 * A URL or a path, absolute or relative, in the sense of RFC 3986 as Terraform providers written in
 * Go read it. Any scheme passes, as do the empty text, `builtin:x` and `data:`.
 */
export const urlRule = rule(
  "must be a URL or a path: each `%` before two hexadecimal digits, no control characters, a port of digits, and no colon in the first segment of a relative path",
  (z) =>
    z.string().check(({ value, issues }) => {
      const message = urlProblem(value);
      if (message !== undefined) issues.push({ code: "custom", input: value, message });
    }),
);

/** What keeps a text from being read as a URL, as a `must …` sentence; undefined when nothing does. */
export function urlProblem(text: string): string | undefined {
  const [url, fragment] = cut(text, "#");
  // eslint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(url)) return "must not have control characters";
  if (url === "*") return badEscape(fragment);
  if (url.startsWith(":")) return "must have a scheme before its first colon";
  const [, scheme = "", afterScheme = url] = /^([a-z][a-z\d+.-]*):([^]*)$/i.exec(url) ?? [];
  const [rest] = cut(afterScheme, "?");
  if (!rest.startsWith("/")) {
    // After a scheme this part is opaque, and not looked into.
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
  if (bracket > 0) return "must not have a [ within the host";
  if (bracket === 0) return literalProblem(host);
  const first = host.indexOf(":");
  const last = host.lastIndexOf(":");
  // Only databases list several hosts with a port each.
  const port = scheme === "http" || scheme === "https" ? first : last;
  return (port < 0 ? undefined : badPort(host.slice(port))) ?? badHostName(host);
}

/** An address in brackets, with a zone perhaps, whose own `%` is written `%25`. */
function literalProblem(host: string): string | undefined {
  const end = host.lastIndexOf("]");
  if (end < 0) return "must close the [ of its host";
  const inner = host.slice(1, end);
  const [address, zone] = cut(inner, "%25");
  if (!isIPv6(address) || address.includes("%") || (zone === "" && inner.includes("%25"))) {
    return "must have an IPv6 address within [ ]";
  }
  return badPort(host.slice(end + 1)) ?? badEscape(zone) ?? badZone(zone);
}

const badPort = (port: string): string | undefined =>
  /^(?::\d*)?$/.test(port) ? undefined : "must have a port of digits only";

const badEscape = (text: string): string | undefined =>
  /%(?![\da-f]{2})/i.test(text) ? "must have two hexadecimal digits after each %" : undefined;

const mustBeHost =
  "must not have blanks or other special characters in its host, percent-escaped ones included";

/** Escapes stand for non-ASCII bytes only. */
const badHostName = (host: string): string | undefined =>
  badEscape(host) ??
  (/^(?:[\w.~!$&'()*+,;=:[\]<>"\x80-\uffff-]|%25|%[89a-f])*$/i.test(host) ? undefined : mustBeHost);

/** Escapes stand for what could be written as it is, for a blank, and for `%`. */
function badZone(zone: string): string | undefined {
  const plain = zone.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return character === " " || character === "%" ? "" : character < "\x80" ? character : "%";
  });
  return plain.includes("%") ? mustBeHost : badHostName(plain);
}

function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
