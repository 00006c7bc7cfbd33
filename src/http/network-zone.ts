import { BlockList, isIP } from "node:net";
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
  const address = name.startsWith("[") ? name.slice(1, -1) : name;
  const version = isIP(address);
  if (version === 0) return name === "metadata.google.internal" ? "link-local" : "public";
  // The list finds an IPv4 address within an IPv6 address, too.
  const family = version === 4 ? "ipv4" : "ipv6";
  lists ??= makeLists();
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? "public";
}

type Networks = readonly (readonly [NetworkZone, BlockList])[];
let lists: Networks | undefined;

/** When they are first needed: a start does not wait for them. */
const makeLists = (): Networks => [
  ["loopback", listOf("0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128")],
  ["link-local", listOf("169.254.0.0/16", "fe80::/10")],
  // 100.64.0.0/10 is shared address space: the networks of carriers and of some clouds' services.
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
