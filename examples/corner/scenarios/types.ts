import type { Scenario, Step, Values } from "./scenario";

const attributes = [
  "bool_attribute",
  "dynamic_attribute",
  "float32_attribute",
  "float64_attribute",
  "int32_attribute",
  "int64_attribute",
  "list_attribute",
  "list_nested_attribute",
  "map_attribute",
  "map_nested_attribute",
  "number_attribute",
  "object_attribute",
  "object_attribute_with_dynamic",
  "set_attribute",
  "set_nested_attribute",
  "single_nested_attribute",
  "single_nested_attribute_with_dynamic",
  "single_nested_block",
  "single_nested_block_with_dynamic",
  "string_attribute",
];

/** What is not configured is null; there are no blocks. */
const nothing: Values = {
  ...Object.fromEntries(attributes.map((name) => [name, null])),
  list_nested_block: [],
  set_nested_block: [],
};

const mixed = `{ one = "a", two = false, three = 1234.5, four = [true, 1234.5] }`;
const mixedValue = { one: "a", two: false, three: 1234.5, four: [true, 1234.5] };

/** Each type with the configurations that are applied one after another, and their values. */
const types: readonly (readonly [name: string, ...steps: (readonly [string, Values])[]])[] = [
  [
    "a bool",
    ["bool_attribute = true", { bool_attribute: true }],
    ["bool_attribute = false", { bool_attribute: false }],
  ],
  [
    "a dynamic value",
    [`dynamic_attribute = "a"`, { dynamic_attribute: "a" }],
    [`dynamic_attribute = tolist(["a", "b"])`, { dynamic_attribute: ["a", "b"] }],
    [`dynamic_attribute = ${mixed}`, { dynamic_attribute: mixedValue }],
  ],
  ...["float32", "float64", "number"].map(
    (type) =>
      [
        `a ${type}`,
        [`${type}_attribute = 1234.5`, { [`${type}_attribute`]: 1234.5 }],
        [`${type}_attribute = 2234.5`, { [`${type}_attribute`]: 2234.5 }],
      ] as const,
  ),
  ...["int32", "int64"].map(
    (type) =>
      [
        `an ${type}`,
        [`${type}_attribute = 1234`, { [`${type}_attribute`]: 1234 }],
        [`${type}_attribute = 2345`, { [`${type}_attribute`]: 2345 }],
      ] as const,
  ),
  [
    "a list of strings",
    [`list_attribute = ["a"]`, { list_attribute: ["a"] }],
    [`list_attribute = ["b"]`, { list_attribute: ["b"] }],
  ],
  [
    "a list of objects",
    ...["a", "b"].map(
      (value) =>
        [
          `list_nested_attribute = [{ list_nested_attribute_attribute = "${value}" }]`,
          { list_nested_attribute: [{ list_nested_attribute_attribute: value }] },
        ] as const,
    ),
  ],
  [
    "a map of strings",
    [`map_attribute = { key = "a" }`, { map_attribute: { key: "a" } }],
    [`map_attribute = { key = "b" }`, { map_attribute: { key: "b" } }],
  ],
  [
    "a map of objects",
    ...["a", "b"].map(
      (value) =>
        [
          `map_nested_attribute = { key = { map_nested_attribute_attribute = "${value}" } }`,
          { map_nested_attribute: { key: { map_nested_attribute_attribute: value } } },
        ] as const,
    ),
  ],
  [
    "a plain object",
    ...["a", "b"].map(
      (value) =>
        [
          `object_attribute = { object_attribute_attribute = "${value}" }`,
          { object_attribute: { object_attribute_attribute: value } },
        ] as const,
    ),
  ],
  [
    "a set of strings",
    [`set_attribute = ["a"]`, { set_attribute: ["a"] }],
    [`set_attribute = ["b"]`, { set_attribute: ["b"] }],
  ],
  [
    "a set of objects",
    ...["a", "b"].map(
      (value) =>
        [
          `set_nested_attribute = [{ set_nested_attribute_attribute = "${value}" }]`,
          { set_nested_attribute: [{ set_nested_attribute_attribute: value }] },
        ] as const,
    ),
  ],
  [
    "an object",
    ...["a", "b"].map(
      (value) =>
        [
          `single_nested_attribute = { single_nested_attribute_attribute = "${value}" }`,
          { single_nested_attribute: { single_nested_attribute_attribute: value } },
        ] as const,
    ),
  ],
  [
    "a string",
    [`string_attribute = "a"`, { string_attribute: "a" }],
    [`string_attribute = "b"`, { string_attribute: "b" }],
  ],
  ...(
    [
      ["a dynamic value in a plain object", "object_attribute_with_dynamic", "="],
      ["a dynamic value in an object", "single_nested_attribute_with_dynamic", "="],
      ["a dynamic value in a block", "single_nested_block_with_dynamic", ""],
    ] as const
  ).map(
    ([name, attribute, equals]) =>
      [
        name,
        ...(
          [
            [`"a"`, "a"],
            [`tolist(["a", "b"])`, ["a", "b"]],
            [mixed, mixedValue],
          ] as const
        ).map(
          ([text, value]) =>
            [
              `${attribute} ${equals} {\n  dynamic_attribute = ${text}\n}`,
              { [attribute]: { dynamic_attribute: value } },
            ] as const,
        ),
      ] as const,
  ),
  ...(
    [
      ["a block of a list", "list", true],
      ["a block of a set", "set", true],
      ["a single block", "single", false],
    ] as const
  ).map(
    ([name, nesting, repeats]) =>
      [
        name,
        ...["a", "b"].map((value) => {
          const block = { [`${nesting}_nested_block_attribute`]: value };
          return [
            `${nesting}_nested_block {\n  ${nesting}_nested_block_attribute = "${value}"\n}`,
            { [`${nesting}_nested_block`]: repeats ? [block] : block },
          ] as const;
        }),
      ] as const,
  ),
  ["nothing", ["", {}]],
];

/** Each type in the state, and changed in place. */
export const storedTypes: readonly Scenario[] = types.map(([name, ...steps]) => ({
  name: `stores ${name}`,
  steps: steps.map(([settings, values], index): Step => ({
    config: `resource "corner_schema" "NAME" {\n${settings}\n}`,
    action: index === 0 ? "create" : "update",
    state: { ...nothing, ...values },
  })),
}));

/** Each type in an ephemeral resource: the last configuration of those in the state. */
export const ephemeralTypes: readonly Scenario[] = types.map(([name, ...steps]) => {
  const [settings, values] = steps.at(-1) ?? ["", {}];
  return {
    name: `passes on ${name}`,
    steps: [
      {
        config: `ephemeral "corner_schema" "NAME" {\n${settings}\n}\nresource "echo_value" "NAME" {\n  value = ephemeral.corner_schema.NAME\n}`,
        state: { seen: { ...nothing, ...values } },
      },
    ],
  };
});
