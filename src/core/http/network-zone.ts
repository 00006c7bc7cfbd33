import { BlockList, isIP } from "node:net";
import { isLoopbackHost } from "../schema";

/**
 * The distance of a host, judged by its name alone: a host name is `public`, even if it resolves to this
 * machine.
 *
 * `link-local` includes the metadata services of clouds, `private` the networks of RFC 1918 and the
 * unique local addresses of IPv6 (RFC 4193).
 */
type NetworkZone = "loopback" | "link-local" | "private" | "public";

/**
 * Returns the zone of a host, in the form of `URL.hostname`.
 *
 * It is used to refuse hosts, so `loopback` includes more than `isLoopbackHost` accepts.
 */
export function networkZone(host: string): NetworkZone {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (isLoopbackHost(name) || name.endsWith(".localhost")) return "loopback";
  const address = name.startsWith("[") ? name.slice(1, -1) : name;
  const version = isIP(address);
  if (version === 0) return name === "metadata.google.internal" ? "link-local" : "public";
  // The list also recognises IPv4-mapped IPv6 addresses.
  const family = version === 4 ? "ipv4" : "ipv6";
  lists ??= makeLists();
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? "public";
}

type Networks = readonly (readonly [NetworkZone, BlockList])[];
let lists: Networks | undefined;

/** Created on first use, so that they do not delay the start. */
const makeLists = (): Networks => [
  ["loopback", listOf("0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128")],
  ["link-local", listOf("169.254.0.0/16", "fe80::/10")],
  // 100.64.0.0/10 is shared address space (RFC 6598), which carriers and some cloud services use.
  ["private", listOf("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")],
];

function listOf(...subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", prefix] = subnet.split("/");
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
