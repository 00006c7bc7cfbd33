import { EvaluationError, NotComputed, textOf, Value } from "../value";
import type { TerraformFunction } from "../function";
import {
  integerOf,
  numberParameter,
  ofStrings,
  stringOf,
  stringParameter,
  stringsOf,
} from "./arguments";

interface Network {
  readonly address: bigint;
  readonly prefix: number;
  readonly bits: 32 | 128;
}

const invalid = (): EvaluationError =>
  new EvaluationError(
    "The value is not an IP address range in CIDR notation, such as 10.0.0.0/16.",
  );

/** Like Terraform, accepts leading zeros. */
function parseIpv4(text: string): bigint {
  const parts = text.split(".");
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^0*\d{1,3}$/.test(part) && Number(part) < 256)
  ) {
    throw invalid();
  }
  return parts.reduce((address, part) => (address << 8n) | BigInt(part), 0n);
}

function groupsOf(text: string): readonly bigint[] {
  if (text === "") return [];
  const groups = text.split(":");
  return groups.flatMap((group, at) => {
    if (at === groups.length - 1 && group.includes(".")) {
      const embedded = parseIpv4(group);
      return [embedded >> 16n, embedded & 0xffffn];
    }
    if (!/^0{0,4}[0-9a-fA-F]{1,4}$/.test(group)) throw invalid();
    return [BigInt(`0x${group}`)];
  });
}

function parseIpv6(text: string): bigint {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) throw invalid();
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) throw invalid();
  const groups = before.concat(Array<bigint>(missing).fill(0n), after);
  return groups.reduce((address, group) => (address << 16n) | group, 0n);
}

function parse(text: string): Network {
  const slash = text.indexOf("/");
  const [host, length] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash === -1 || !/^\d{1,7}$/.test(length)) throw invalid();
  const bits = host.includes(":") ? 128 : 32;
  const address = bits === 128 ? parseIpv6(host) : parseIpv4(host);
  const prefix = Number(length);
  if (prefix > bits) throw invalid();
  return { address: firstOf(address, prefix, bits), prefix, bits };
}

const lastOf = ({ address, prefix, bits }: Network): bigint =>
  address | ((1n << BigInt(bits - prefix)) - 1n);

const firstOf = (address: bigint, prefix: number, bits: number): bigint =>
  (address >> BigInt(bits - prefix)) << BigInt(bits - prefix);

/** Go reads an IPv4 address that is mapped to IPv6 as IPv4. */
const isMapped = (address: bigint, bits: number): boolean =>
  bits === 128 && address >> 32n === 0xffffn;

function addressText(address: bigint, bits: number): string {
  if (isMapped(address, bits)) throw new NotComputed();
  if (bits === 32) {
    return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join(".");
  }
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((address >> BigInt(112 - at * 16)) & 0xffffn).toString(16),
  );
  const text = groups.join(":");
  const [longest] = [...text.matchAll(/(?<![^:])0(?::0)+(?![^:])/g)].toSorted(
    (a, b) => b[0].length - a[0].length,
  );
  if (longest === undefined) return text;
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}

const networkText = ({ address, prefix, bits }: Network): string =>
  `${addressText(address, bits)}/${prefix}`;

function host(network: Network, number: bigint): string {
  const { address, prefix, bits } = network;
  const count = 1n << BigInt(bits - prefix);
  const offset = number < 0n ? count + number : number;
  if (offset < 0n || offset >= count) {
    throw new EvaluationError(`A prefix of ${prefix} has no room for a host with this number.`);
  }
  return addressText(address | offset, bits);
}

function subnet({ address, prefix, bits }: Network, added: number, number: bigint): string {
  const length = prefix + added;
  if (length > bits) {
    throw new EvaluationError(
      `The address space is too small to extend a prefix of ${prefix} by ${added}.`,
    );
  }
  if (added < 0 || number < 0n) throw new NotComputed();
  if (number >= 1n << BigInt(added)) {
    throw new EvaluationError(
      `A prefix extension of ${added} has no room for a subnet with this number.`,
    );
  }
  return networkText({
    address: address | (number << BigInt(bits - length)),
    prefix: length,
    bits,
  });
}

const tooSmall = (): EvaluationError =>
  new EvaluationError("The address space is too small for these subnets.");

function subnets(
  { address, prefix, bits }: Network,
  extensions: readonly number[],
): readonly string[] {
  const end = address + (1n << BigInt(bits - prefix));
  // Terraform begins with the subnet before the first, which does not exist here.
  if (address === 0n && extensions.length > 0) throw tooSmall();
  let next = address;
  return extensions.map((added) => {
    if (added < 1 || added > 32 || prefix + added > bits) {
      throw new EvaluationError(`The prefix of ${prefix} cannot be extended by ${added} bits.`);
    }
    const size = 1n << BigInt(bits - prefix - added);
    const start = ((next + size - 1n) / size) * size;
    next = start + size;
    if (next > end) throw tooSmall();
    return networkText({ address: start, prefix: prefix + added, bits });
  });
}

/** Like OpenTofu, fails for an address of the other family. */
function contains(range: Network, text: string): boolean {
  const isAddress = !text.includes("/");
  const inner = parse(isAddress ? `${text}/${text.includes(":") ? 128 : 32}` : text);
  if (
    [range, inner].some(
      (each) => isMapped(each.address, each.bits) || isMapped(lastOf(each), each.bits),
    )
  )
    throw new NotComputed();
  if (range.bits !== inner.bits) {
    throw new EvaluationError("Both addresses must be IPv4, or both IPv6.");
  }
  return (
    range.prefix <= inner.prefix &&
    firstOf(inner.address, range.prefix, range.bits) === range.address
  );
}

function netmask({ prefix, bits }: Network): string {
  if (bits === 128) throw new EvaluationError("A netmask exists for IPv4 only.");
  return addressText(firstOf(0xffff_ffffn, prefix, bits), bits);
}

const prefix = stringParameter("prefix");
const network = (value: Value | undefined): Network => parse(textOf(value));

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/cidrhost} and the following pages */
export const ipNetworkFunctions: Readonly<Record<string, TerraformFunction>> = {
  cidrhost: {
    parameters: [prefix, numberParameter("hostnum")],
    returns: "string",
    call: ([range, number]) => stringOf(host(network(range), integerOf(number))),
  },
  cidrnetmask: {
    parameters: [prefix],
    returns: "string",
    call: ([range]) => stringOf(netmask(network(range))),
  },
  cidrsubnet: {
    parameters: [prefix, numberParameter("newbits"), numberParameter("netnum")],
    returns: "string",
    call: ([range, added, number]) =>
      stringOf(subnet(network(range), Number(integerOf(added)), integerOf(number))),
  },
  cidrsubnets: {
    parameters: [prefix],
    rest: numberParameter("newbits"),
    returns: { list: "string" },
    call: ([range, ...added]) =>
      stringsOf(
        subnets(
          network(range),
          added.map((each) => Number(integerOf(each))),
        ),
      ),
  },
};

/** A function of OpenTofu. */
export const cidrcontains = ofStrings(
  ["containing_prefix", "contained_ip_or_prefix"],
  "bool",
  (range = "", inner = "") => Value.bool(contains(parse(range), inner)),
);
