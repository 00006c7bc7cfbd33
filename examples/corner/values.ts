import {
  block,
  durationRule,
  implement,
  optional,
  optionalComputed,
  problemRule,
  required,
  resource,
  sameDuration,
  sameJson,
  type StateOf,
  t,
  timeouts,
} from "@trivet/provider-kit";
import { address, expanded, network, sameAddress, sameAddresses, shortened } from "./addresses";
import { keep } from "./keep";

const doc = "Nothing is done with it.";

const json = problemRule("must be JSON", (text) => {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return "must be JSON";
  }
});
const instant = problemRule("must be a date and time of RFC 3339", (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text))
    ? undefined
    : "must be a date and time of RFC 3339, such as 2000-01-02T03:04:05Z",
);

const customType = resource("corner_customtype", {
  doc: "Strings with a form.",
  attributes: {
    jsonNormalizedAttribute: optional(t.string(json), { doc, semanticEquals: sameJson }),
    jsonExactAttribute: optional(t.string(json), { doc }),
    ipV4Attribute: optional(t.string(address("IPv4")), { doc }),
    ipV6Attribute: optional(t.string(address("IPv6")), { doc, semanticEquals: sameAddress }),
    ipV4CidrAttribute: optional(t.string(network("IPv4")), { doc }),
    ipV6CidrAttribute: optional(t.string(network("IPv6")), { doc }),
    timeRfc3339Attribute: optional(t.string(instant), { doc }),
  },
});

const timeTypes = resource("corner_timetypes", {
  doc: "A duration and an instant.",
  attributes: {
    goDuration: optional(t.string(durationRule), { doc, semanticEquals: sameDuration }),
    rfc3339: optional(t.string(instant), { doc }),
  },
});

const timed = resource("corner_timeouts", {
  doc: "Its creation may take 20 minutes, unless the user says otherwise.",
  attributes: { timeouts: timeouts({ create: 1_200_000 }) },
});

const defaults = {
  value: optionalComputed(t.string(), { doc, default: "zero" }),
  defaultValue: optionalComputed(t.string(), { doc, default: "this is a default" }),
};

const setAttribute = resource("corner_set_nested_attribute_with_defaults", {
  doc: "Elements of a set, with defaults.",
  attributes: { set: required(t.set(t.object(defaults)), { doc }) },
});

const setBlock = resource("corner_set_nested_block_with_defaults", {
  doc: "Blocks of a set, with defaults.",
  attributes: {},
  blocks: { set: block.set({ attributes: defaults }, { doc }) },
});

const ipv6 = required(t.string(address("IPv6")), { doc });
type Hosts = readonly { readonly ipv6: string }[];
const sameHosts = (one: Hosts, other: Hosts): boolean =>
  sameAddresses(
    one.map((host) => host.ipv6),
    other.map((host) => host.ipv6),
  );

const equalSets = resource("corner_set_semantic_equality", {
  doc: "Sets of addresses, which the service writes in another way.",
  attributes: {
    setOfIpv6: required(t.set(t.string(address("IPv6"))), { doc, semanticEquals: sameAddresses }),
    setNestedAttribute: required(t.set(t.object({ ipv6 })), { doc, semanticEquals: sameHosts }),
  },
  blocks: {
    setNestedBlock: block.set({ attributes: { ipv6 } }, { doc, min: 1, semanticEquals: sameHosts }),
  },
});

/** The service returns short addresses, in another order. */
function returned(sets: StateOf<typeof equalSets>): Promise<StateOf<typeof equalSets>> {
  const short = (hosts: Hosts): Hosts =>
    hosts.map((host) => ({ ipv6: shortened(host.ipv6) })).toReversed();
  return Promise.resolve({
    setOfIpv6: sets.setOfIpv6.map(shortened).toReversed(),
    setNestedAttribute: short(sets.setNestedAttribute),
    setNestedBlock: short(sets.setNestedBlock),
  });
}

export const values = [
  implement(customType)<unknown>({
    ...keep,
    // The service returns long addresses.
    read: ({ ipV6Attribute: found, ...rest }) =>
      Promise.resolve({ ...rest, ipV6Attribute: found === null ? null : expanded(found) }),
  }),
  implement(timeTypes)<unknown>(keep),
  implement(timed)<unknown>(keep),
  implement(setAttribute)<unknown>(keep),
  implement(setBlock)<unknown>(keep),
  implement(equalSets)<unknown>({ ...keep, create: returned, read: returned, update: returned }),
];
