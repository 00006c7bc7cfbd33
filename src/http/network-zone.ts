import { isIPv4, isIPv6 } from "node:net";
import { isLoopbackHost } from "../schema/loopback";

/**
 * How near a host is, as far as its name tells: a name is `public`, whatever it resolves to.
 *
 * `link-local` holds the metadata services of clouds, `private` the networks of RFC 1918 and their
 * kin in IPv6.
 */
export type NetworkZone = "loopback" | "link-local" | "private" | "public";

/**
 * The zone of a host as `URL.hostname` gives it.
 *
 * It is asked in order to refuse: so `loopback` is more here than `isLoopbackHost` allows.
 */
export function networkZone(host: string): NetworkZone {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (isLoopbackHost(name) || name.endsWith(".localhost")) return "loopback";
  if (isIPv4(name)) return zoneOfVersion4(name);
  const bare = name.startsWith("[") ? name.slice(1, -1) : name;
  if (isIPv6(bare)) return zoneOfVersion6(bare);
  return name === "metadata.google.internal" ? "link-local" : "public";
}

function zoneOfVersion4(address: string): NetworkZone {
  const [first = 0, second = 0] = address.split(".").map(Number);
  if (first === 127 || first === 0) return "loopback";
  if (first === 169 && second === 254) return "link-local";
  if (first === 10 || (first === 172 && second >= 16 && second < 32)) return "private";
  if (first === 192 && second === 168) return "private";
  // Shared address space: the networks of carriers and of some clouds' services.
  return first === 100 && second >= 64 && second < 128 ? "private" : "public";
}

function zoneOfVersion6(address: string): NetworkZone {
  // `URL` writes addresses in their shortest form, an embedded IPv4 address as two groups.
  if (address === "::1" || address === "::") return "loopback";
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high !== undefined && low !== undefined) {
    const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
    return zoneOfVersion4([a >> 8, a & 255, b >> 8, b & 255].join("."));
  }
  if (/^fe[89ab]/.test(address)) return "link-local";
  return /^f[cd]/.test(address) ? "private" : "public";
}
