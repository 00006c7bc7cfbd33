import type { Scenario, Step } from "./scenario";

const full = "340282346638528859811704183484516925440";
const fullScientific = "3.40282346638528859811704183484516925440e+38";
const rounded = "340282346638528860000000000000000000000";
const roundedScientific = "3.4028234663852886e+38";
/** What Terraform makes of `1 - 0.99` and `1 - 0.98`, with 512 bits. */
const calculated = (digit: string, last: string): string => `0.0${digit}${"0".repeat(153)}${last}`;
const inconsistent = "Provider produced inconsistent result after apply";

const number =
  (bits: string) =>
  (value: string, step: Omit<Step, "config"> = {}): Step => ({
    config: `resource "corner_${bits}_precision" "NAME" {
  ${bits}_attribute = ${value}
}
output "NAME" {
  value = tostring(corner_${bits}_precision.NAME.${bits}_attribute)
}`,
    ...step,
  });

export const numbers: readonly Scenario[] = ["float32", "float64"].flatMap((bits) => {
  const of = number(bits);
  return [
    {
      name: `a calculated ${bits} is stored with all of its digits`,
      steps: [
        of("1 - 0.99", { output: calculated("1", "3") }),
        of("1 - 0.98", { output: calculated("2", "6") }),
      ],
    },
    {
      name: `a calculated ${bits} in place of a written one`,
      steps: [
        of("0.01", { output: "0.01" }),
        of("1 - 0.99", {
          action: "no-op",
          output: "0.01",
          go: { action: "update", output: calculated("1", "3") },
        }),
      ],
      why: "For the kit, numbers with the same nearest double mean the same, so nothing changes.",
    },
    {
      name: `the largest number of 32 bits as a ${bits}`,
      steps: [
        of(full, { output: full, go: { refused: inconsistent } }),
        of(fullScientific, { action: "no-op", output: full, go: { refused: inconsistent } }),
        of(rounded, { action: "no-op", output: full, go: { output: rounded } }),
        of(roundedScientific, { action: "no-op", output: full, go: { output: rounded } }),
        of(fullScientific, {
          action: "no-op",
          output: full,
          go: { action: "update", refused: inconsistent },
        }),
      ],
      why: "Go's framework stores the nearest double, which Terraform finds different from the configured number.",
    },
    {
      name: `the largest number of 32 bits as a ${bits}, before Terraform 1.9`,
      steps: [of(rounded), of(roundedScientific, { action: "no-op" })],
      needs: {
        below: "1.9",
        what: "Terraform 1.8 or older, which sends such numbers with 53 bits",
      },
      instead: "Shown by `test/core/provider-kit/plan/calculated`",
    },
  ];
});

const one = (type: string, settings: string, step: Omit<Step, "config"> = {}): Step => ({
  config: `resource "corner_${type}" "NAME" {\n${settings}\n}`,
  ...step,
});

/** A wrong value, and then right ones. */
const form = (
  name: string,
  attribute: string,
  [refused, go]: readonly [kit: string, go: string],
  ...right: readonly string[]
): Scenario => ({
  name,
  steps: [
    one("customtype", `${attribute} = "test value"`, { refused, go: { refused: go } }),
    ...right.map((value) =>
      one("customtype", `${attribute} = ${JSON.stringify(value)}`, {
        state: { [attribute]: value },
      }),
    ),
  ],
});

const spacedJson = '{\n\t"version": 0,\n\t"block": {\n\t\t"attributes": {}\n\t}\n}';

const set = (order: readonly number[], zero: string, group: string, multicast: string): string => {
  const addresses = [
    zero,
    "2001:0DB8:0000:0000:0008:0800:200C:417A",
    "0:0:0:0:0:0:0:101",
    "0:0:0:0:0:FFFF:192.168.255.255",
  ];
  const blocks = [multicast, "2001:db8::8:800:200c:417a", "0:0:0:0:0:FFFF:192.168.255.255"];
  const nested = ["2041:0000:140F:0000:0000:0000:875B:131B", group];
  const ordered = <T>(all: readonly T[]): T[] =>
    order.flatMap((index) => (index < all.length ? all.slice(index, index + 1) : []));
  return `  set_of_ipv6 = ${JSON.stringify(ordered(addresses))}
  set_nested_attribute = [${ordered(nested)
    .map((ipv6) => `{ ipv6 = "${ipv6}" }`)
    .join(", ")}]
${ordered(blocks)
  .map((ipv6) => `  set_nested_block {\n    ipv6 = "${ipv6}"\n  }`)
  .join("\n")}`;
};

const longGroup = "2001:0001:0002:0003:0004:0005:0006:0007";
const withDefault = (value: string) => ({ value, default_value: "this is a default" });
const three = { set: ["one", "three", "two"].map(withDefault) };
const duplicates =
  "Go's framework finds the default of another element when it reads the set, and then reports duplicates.";

export const values: readonly Scenario[] = [
  form(
    "JSON that is compared by its meaning",
    "json_normalized_attribute",
    ["must be JSON", "Invalid JSON String Value"],
    spacedJson,
  ),
  form(
    "JSON that is compared by its text",
    "json_exact_attribute",
    ["must be JSON", "Invalid JSON String Value"],
    spacedJson,
  ),
  form(
    "an IPv4 address",
    "ip_v4_attribute",
    ["must be an IPv4 address", "Invalid IPv4 Address String Value"],
    "192.0.2.146",
  ),
  form(
    "an IPv6 address, which the service writes in its long form",
    "ip_v6_attribute",
    ["must be an IPv6 address", "Invalid IPv6 Address String Value"],
    "1050:0000:0000:0000:0005:0600:300c:326b",
    "ff06::c3",
  ),
  form(
    "an IPv4 network",
    "ip_v4_cidr_attribute",
    ["must be an IPv4 address, a slash", "Invalid IPv4 CIDR String Value"],
    "192.0.2.146/24",
  ),
  form(
    "an IPv6 network",
    "ip_v6_cidr_attribute",
    ["must be an IPv6 address, a slash", "Invalid IPv6 CIDR String Value"],
    "1050:0000:0000:0000:0005:0600:300c:326b/64",
  ),
  form(
    "a date and time",
    "time_rfc3339_attribute",
    ["must be a date and time", "Invalid RFC3339 String Value"],
    "1985-04-12T23:20:50.52Z",
  ),
  {
    name: "neither a duration nor a date",
    steps: [one("timetypes", "", { state: { go_duration: null, rfc3339: null } })],
  },
  {
    name: "a duration",
    steps: [one("timetypes", `go_duration = "1h2m3s"`, { state: { go_duration: "1h2m3s" } })],
  },
  {
    name: "a wrong duration",
    steps: [
      one("timetypes", `go_duration = "invalid"`, {
        refused: "must be a duration",
        go: { refused: "Invalid Time Duration String Value" },
      }),
    ],
  },
  {
    name: "a date beside a duration",
    steps: [
      one("timetypes", `rfc3339 = "2000-01-02T03:04:05Z"`, {
        state: { rfc3339: "2000-01-02T03:04:05Z" },
      }),
    ],
  },
  {
    name: "a wrong date beside a duration",
    steps: [
      one("timetypes", `rfc3339 = "invalid"`, {
        refused: "must be a date and time",
        go: { refused: "Invalid RFC3339 String Value" },
      }),
    ],
  },
  { name: "no timeouts", steps: [one("timeouts", "", { state: { timeouts: null } })] },
  {
    name: "timeouts as an attribute",
    steps: [
      one("timeouts", `timeouts = { create = "120s" }`, {
        state: { timeouts: { create: "120s" } },
      }),
    ],
  },
  {
    name: "defaults in the objects of a set",
    steps: [
      one(
        "set_nested_attribute_with_defaults",
        `set = [{ value = "one" }, { value = "two" }, { value = "three" }]`,
        { planned: three, state: three, go: { refused: "Duplicate Set Element" } },
      ),
    ],
    why: duplicates,
  },
  {
    name: "defaults in the blocks of a set",
    steps: [
      one(
        "set_nested_block_with_defaults",
        ["one", "two", "three"].map((value) => `set {\n  value = "${value}"\n}`).join("\n"),
        { planned: three, state: three, go: { refused: "Duplicate Set Element" } },
      ),
    ],
    why: duplicates,
  },
  {
    name: "sets of addresses, which the service writes in another way",
    steps: [
      one(
        "set_semantic_equality",
        set([0, 1, 2, 3], "0:0:0:0:0:0:0:0", longGroup, "FF01:0:0:0:0:0:0:0"),
      ),
      one(
        "set_semantic_equality",
        set([3, 1, 0, 2], "0:0:0:0:0:0:0:0", longGroup, "FF01:0:0:0:0:0:0:0"),
        {
          action: "no-op",
        },
      ),
      one("set_semantic_equality", set([3, 1, 0, 2], "::", "2001:1:2:3:4:5:6:7", "FF01::"), {
        action: "update",
      }),
    ],
  },
];

const computedState = {
  computed_bool: true,
  computed_dynamic: "dynamic string",
  computed_float64: 1.2,
  computed_int64: 100,
  computed_string: "computed string",
  computed_list: ["computed", "list"],
  computed_map: { key6: "val6", key7: "val7" },
  computed_map_nested: { key6: { nested_string: "val6" }, key7: { nested_string: "val7" } },
  computed_object: { nested_string: "computed string" },
  computed_single_nested: { nested_string: "computed string" },
  computed_list_nested_block: [
    { nested_string: "computed string one" },
    { nested_string: "computed string two" },
  ],
};

const reflection = (bool: boolean, number: number, text: string, keys: readonly string[]): string =>
  `config_bool = ${bool}
config_dynamic = "${text}"
config_float64 = ${number + 0.5}
config_int64 = ${number}
config_string = "${text}"
config_list = ${JSON.stringify(keys)}
config_map = { for key in ${JSON.stringify(keys)} : key => "value of \${key}" }
config_map_nested = { for key in ${JSON.stringify(keys)} : key => { nested_string = key } }
config_object = { nested_string = "${text}" }
config_single_nested = { nested_string = "${text}" }
config_set_nested_block {
  nested_string = "${text} one"
}
config_set_nested_block {
  nested_string = "${text} two"
}
computed_list_nested_block {}
computed_list_nested_block {}`;

export const computedValues: readonly Scenario[] = [
  {
    name: "a computed value of each type, which an update keeps",
    steps: [
      one("tfsdk_reflection", reflection(true, 2, "a", ["one", "two", "three"]), {
        action: "create",
        state: computedState,
      }),
      one("tfsdk_reflection", reflection(false, 3, "b", ["four", "five"]), {
        action: "update",
        unknown: [],
        state: computedState,
      }),
    ],
  },
  {
    name: "a computed value whose type changes",
    steps: [
      one("dynamic_computed_type_change", `required_dynamic = "a"`, {
        unknown: ["computed_dynamic_type_changes"],
        state: { required_dynamic: "a", computed_dynamic_type_changes: true },
      }),
      one("dynamic_computed_type_change", `required_dynamic = "b"`, {
        unknown: ["computed_dynamic_type_changes"],
        state: { required_dynamic: "b", computed_dynamic_type_changes: 200 },
      }),
    ],
  },
];
