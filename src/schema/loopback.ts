const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const version4 = String.raw`127(?:\.${octet}){3}`;
/** `URL` writes an IPv4 address that stands in an IPv6 address as two groups. */
const version6 = String.raw`::1|::ffff:(?:${version4}|7f[\da-f]{2}:[\da-f]{1,4})`;
const inUrl = String.raw`(?:localhost\.?|${version4}|\[(?:${version6})\])`;

const host = new RegExp(`^(?:${inUrl}|${version6})$`, "i");
const authority = new RegExp(String.raw`^${inUrl}(?::\d+)?$`, "i");

/**
 * Whether a host is this machine, whatever a resolver says: 127.0.0.0/8, ::1, the same as IPv4-mapped
 * addresses, and `localhost`. IPv6 addresses may have the brackets that they have in URLs.
 *
 * What it allows, such as plain http, must never be allowed for a name that others may resolve: names
 * below `localhost` are not taken.
 */
export const isLoopbackHost = (name: string): boolean => host.test(name);

/** The same of a host with a port or without, as a `Host` header or a URL has it. */
export const isLoopbackAuthority = (text: string): boolean => authority.test(text);

/** The URL of a service without user, query and fragment: https, or http on this machine. */
export const serviceUrl = new RegExp(
  String.raw`^(?:https:\/\/[^/\s?#@]+|http:\/\/${inUrl}(?::\d+)?)(?:\/[^\s?#]*)?$`,
  "i",
);
