import { isIPv4, isIPv6 } from "node:net";
import { problemRule, type ValueRule } from "@trivet/provider-kit";

type Family = "IPv4" | "IPv6";

const isAddress = { IPv4: isIPv4, IPv6: isIPv6 };
const bits = { IPv4: 32, IPv6: 128 };

/** A string must be an address. */
export function address(family: Family): ValueRule {
  const must = `must be an ${family} address`;
  return problemRule(must, (text) => (isAddress[family](text) ? undefined : must));
}

/** A string must be an address and the length of its network, such as `192.0.2.0/24`. */
export function network(family: Family): ValueRule {
  const must = `must be an ${family} address, a slash and the length of the network`;
  return problemRule(must, (text) => {
    const [, host = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
    return isAddress[family](host) && Number(length) <= bits[family] ? undefined : must;
  });
}

/** The shortest form of an IPv6 address, such as `2001:db8::1`, in lower case and without dots. */
export function shortened(text: string): string {
  const url = `http://[${text}]`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : text;
}

/** The longest form of an IPv6 address, with all eight groups of four digits. */
export function expanded(text: string): string {
  const [head = "", tail] = shortened(text).split("::");
  const groups = (part: string | undefined) => (part ? part.split(":") : []);
  const zeros = 8 - groups(head).length - groups(tail).length;
  return [
    ...groups(head),
    ...Array.from({ length: tail === undefined ? 0 : zeros }, () => "0"),
    ...groups(tail),
  ]
    .map((group) => group.padStart(4, "0"))
    .join(":");
}

/** Compares two IPv6 addresses, for `semanticEquals`. */
export const sameAddress = (one: string, other: string): boolean =>
  shortened(one) === shortened(other);

/** Compares two sets of IPv6 addresses, for `semanticEquals`. */
export function sameAddresses(one: readonly string[], other: readonly string[]): boolean {
  const key = (all: readonly string[]): string => all.map(shortened).toSorted().join();
  return key(one) === key(other);
}
