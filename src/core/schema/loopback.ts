const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const version4 = String.raw`127(?:\.${octet}){3}`;
/** `URL` writes an IPv4 address inside an IPv6 address as two groups. */
const version6 = String.raw`::1|::ffff:(?:${version4}|7f[\da-f]{2}:[\da-f]{1,4})`;
const inUrl = String.raw`(?:localhost\.?|${version4}|\[(?:${version6})\])`;

const host = new RegExp(`^(?:${inUrl}|${version6})$`, "i");
const authority = new RegExp(String.raw`^${inUrl}(?::\d+)?$`, "i");

/**
 * Checks whether a host is this machine, whatever a resolver returns: 127.0.0.0/8, ::1, the same as
 * IPv4-mapped addresses, and `localhost`. IPv6 addresses may be in brackets, as in URLs.
 *
 * Plain http must never be allowed for a name that could resolve to another address, so names below `localhost` are
 * not accepted.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6890#section-2.2.2
 */
export const isLoopbackHost = (name: string): boolean => host.test(name);

/** Like {@link isLoopbackHost}, for a host with or without a port, as in a `Host` header or a URL. */
export const isLoopbackAuthority = (value: string): boolean => authority.test(value);

/** The URL of a service without user information, query string and fragment: https, or http on this machine. */
export const serviceUrl = new RegExp(
  String.raw`^(?:https:\/\/[^/\s?#@]+|http:\/\/${inUrl}(?::\d+)?)(?:\/[^\s?#]*)?$`,
  "i",
);

/** Checks for `localhost` and the names below it. */
export const isLocalhostName = (name: string): boolean => /^(?:[^.]+\.)*localhost\.?$/i.test(name);

/**
 * Checks whether connections to a host of a URL stay on this machine. The HTTP client (`../http`) never looks up
 * `localhost` and the names below it, so no resolver can lead them elsewhere.
 */
export const goesToLoopback = (name: string): boolean =>
  isLoopbackHost(name) || isLocalhostName(name);
