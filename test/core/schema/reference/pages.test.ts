import {
  action,
  advise,
  block,
  computed,
  conflicts,
  dataSource,
  ephemeralResource,
  exactlyOneOf,
  listResource,
  optional,
  optionalForImport,
  parameter,
  provider,
  providerFunction,
  providerMeta,
  required,
  requiredForImport,
  optionalComputed,
  resource,
  rule,
  t,
  stringRule,
  variadic,
} from "../../../../src/core/schema";
import { referencePages } from "../../../../src/core/schema/reference/pages";

const settings = provider("tea", {
  doc: "Tea of a house.",
  attributes: {
    kettleUrl: optional(t.string(), { doc: "Where the kettle is.", env: ["KETTLE_URL", "KETTLE"] }),
    secretKey: optional(t.string(), { doc: "Opens the pantry.", sensitive: true, env: ["KEY"] }),
  },
  rules: [conflicts("kettleUrl", "secretKey")],
});

const pot = resource("tea_pot", {
  doc: "A pot of tea. It pours.",
  attributes: {
    leafName: required(textRuled(), { doc: "What is brewed.", requiresReplace: true }),
    size: optionalComputed(t.integer(), { doc: "Cups.", default: 4 }),
    price: optionalComputed(t.decimal(), { doc: "Of the leaves.", default: "1.5" }),
    serial: optionalComputed(t.int64(), { doc: "On the bottom.", default: 7n }),
    shelf: optionalComputed(t.string(), { doc: "Where it is stored." }),
    blessing: optional(t.string(), { doc: "Spoken once.", sensitive: true, writeOnly: true }),
    kinds: optional(t.list(t.oneOf(["black", "green"])), { doc: "Blended." }),
    old: optional(t.bool(), {
      doc: "Not used.",
      deprecated: (label) => `use \`${label("leafName")}\``,
    }),
    lid: optional(t.object({ knobColor: optional(t.string(), { doc: "Of the knob." }) }), {
      doc: "The lid.",
    }),
    agentId: computed(t.string(), { doc: "Its ID.", wire: "id", useStateForUnknown: true }),
  },
  blocks: {
    guests: block.list(
      {
        attributes: { firstName: required(t.string(), { doc: "Called." }) },
        blocks: { sugar: block.single({ attributes: {} }, { doc: "Sweet.", min: 1 }) },
        rules: [],
      },
      { doc: "Who drinks.", wire: "guest", min: 1, max: 3 },
    ),
  },
  rules: [
    exactlyOneOf("shelf", "old"),
    advise({ code: "pot-size", name: "size", doc: "should be set", when: () => false }),
  ],
  timeouts: { create: 90_000, delete: 3_600_000 },
  importId: ["{shelf}/{leafName}"],
  identity: {
    attributes: {
      leafName: requiredForImport(t.string(), { doc: "Brewed." }),
      cups: optionalForImport(t.list(t.integer()), { doc: "Sizes." }),
    },
  },
});

const menu = dataSource("tea_menu", {
  doc: "What is available.",
  attributes: { prices: computed(t.map(t.number()), { doc: "By leaf, in <coins>." }) },
});

function textRuled() {
  return t.string(stringRule([[/^[a-z]/, "must start small"]]));
}

const key = ephemeralResource("tea_key", {
  doc: "A key to the pantry.",
  attributes: { value: computed(t.string(), { doc: "The key.", sensitive: true }) },
});

const pots = listResource(pot, {
  doc: "Pots. All of them.",
  attributes: { shelf: optional(t.string(), { doc: "Where." }) },
});

const boil = action("tea_boil", {
  doc: "Boils water. It whistles.",
  attributes: { cups: required(t.integer(), { doc: "How many." }) },
});

const brew = providerFunction("brew", {
  summary: "Brews",
  doc: "Brews tea. It takes a while.",
  parameters: {
    leafName: parameter(textRuled(), { doc: "What is brewed.", allowNull: true }),
    guests: variadic(t.object({ firstName: required(t.string(), { doc: "Called." }) }), {
      doc: "Who drinks.",
      allowUnknown: true,
    }),
  },
  returns: t.object({ cupCount: computed(t.integer(), { doc: "How many." }) }),
  example: "provider::tea::brew(null).cup_count # 0",
  deprecated: "use the kettle",
});

const examples = new Map([
  ["index", { hcl: 'provider "tea" {}' }],
  ["resources/pot", { hcl: 'resource "tea_pot" "one" {\n}\n', typescript: "new Pot();\n" }],
]);
const pages = referencePages({
  provider: settings,
  resources: [pot],
  dataSources: [menu],
  ephemeralResources: [key],
  listResources: [pots],
  actions: [boil],
  functions: [brew],
  providerMeta: providerMeta("tea", {
    doc: "Who brews.",
    attributes: { house: required(t.string(), { doc: "Whose." }) },
  }),
  examples,
});
const page = (path: string): string => pages.get(path) ?? "";
const names = {
  settings: "index.md",
  "a resource": "resources/pot.md",
  "a data source": "data-sources/menu.md",
  "an ephemeral resource": "ephemeral-resources/key.md",
  "a list resource": "list-resources/pot.md",
  "an action": "actions/boil.md",
  "a function": "functions/brew.md",
};

test("there is a page for the provider, and one for everything that it offers", () => {
  expect([...pages.keys()].sort()).toEqual(Object.values(names).sort());
});

describe("a page of the reference", () => {
  it.each([
    ["settings", "starts with a title for registries", '---\npage_title: "tea Provider"\ndescr'],
    ["settings", "says what the provider is", "# tea Provider\n\nTea of a house."],
    [
      "settings",
      "links to resources",
      "## Resources\n\n- [`tea_pot`](resources/pot.md): A pot of tea.",
    ],
    [
      "settings",
      "links to data sources",
      "## Data Sources\n\n- [`tea_menu`](data-sources/menu.md): What is available.",
    ],
    [
      "settings",
      "shows an example",
      '## Example Usage\n\n```terraform\nprovider "tea" {}\n```\n\n## Schema',
    ],
    [
      "settings",
      "lists environment variables in order",
      "Can also be set with the first of these environment variables that is set: `KETTLE_URL`, `KETTLE`.",
    ],
    [
      "settings",
      "names a single environment variable",
      "Can also be set with the environment variable `KEY`.",
    ],
    ["settings", "marks what is sensitive", "- `secret_key` (String, Sensitive) Opens"],
    [
      "settings",
      "lists the rules, with Terraform's names",
      "### Rules\n\n- at most one of `kettle_url`, `secret_key` can be set",
    ],
    [
      "a resource",
      "starts with a title, a group and a description for registries",
      '---\npage_title: "tea_pot Resource - tea"\nsubcategory: ""\ndescription: |-\n  A pot of tea.\n---\n',
    ],
    [
      "a resource",
      "has the type as its heading",
      "# tea_pot (Resource)\n\nA pot of tea. It pours.",
    ],
    [
      "a resource",
      "shows the example in both languages",
      '```terraform\nresource "tea_pot" "one" {\n}\n```\n\nThe same in TypeScript:\n\n```typescript\nnew Pot();\n```',
    ],
    [
      "a resource",
      "says how names are written in TypeScript",
      "In TypeScript they are in camelCase: `leaf_name` is `leafName`.",
    ],
    [
      "a resource",
      "marks what is write-only",
      "- `blessing` (String, Sensitive, Write-only) Spoken once.",
    ],
    ["a resource", "gives a name in TypeScript that differs", "In TypeScript: `agentId`."],
    [
      "a resource",
      "lists required attributes, and what requires a replacement",
      "### Required\n\n- `leaf_name` (String) What is brewed. **A change replaces the resource.**",
    ],
    ["a resource", "lists the rules of a value", "\n  - must start small\n"],
    [
      "settings",
      "documents the metadata of modules",
      '## Module Metadata\n\nWho brews.\n\nA module can set these in its own configuration:\n\n```terraform\nterraform {\n  provider_meta "tea" {\n    # …\n  }\n}\n```\n\n### Required\n\n- `house` (String) Whose.',
    ],
    ["a resource", "lists required blocks", "- `guest` (Block List, Min: 1, Max: 3) Who drinks."],
    [
      "a resource",
      "lists optional attributes with their defaults",
      "### Optional\n\n- `size` (Integer) Cups. Default: `4`.",
    ],
    [
      "a resource",
      "writes numbers as users do, whatever they are in TypeScript",
      "- `price` (Decimal) Of the leaves. Default: `1.5`.\n- `serial` (64-bit integer) On the bottom. Default: `7`.",
    ],
    [
      "a resource",
      "lists the values of elements",
      "- `kinds` (List of String) Blended.\n  - each one of `black`, `green`",
    ],
    [
      "a resource",
      "marks what is deprecated",
      "- `old` (Boolean, Deprecated) Not used. **Deprecated:** use `leaf_name`.",
    ],
    [
      "a resource",
      "lists what the provider sets",
      "### Read-Only\n\n- `id` (String) Its ID. An update keeps it. In TypeScript: `agentId`.",
    ],
    ["a resource", "lists the rules of a resource", "- exactly one of `shelf`, `old` must be set"],
    ["a resource", "marks advice as a warning", "- `size` should be set (a warning, `pot-size`)"],
    [
      "a resource",
      "describes nested attributes",
      '<a id="nestedatt--lid"></a>\n\n### Nested Schema for `lid`\n\nOptional:\n\n- `knob_color`',
    ],
    [
      "a resource",
      "describes blocks in blocks",
      '<a id="nestedblock--guest--sugar"></a>\n\n### Nested Schema for `guest.sugar`',
    ],
    [
      "a resource",
      "writes timeouts as durations",
      "- `create` (String) Timeout of this operation. Default: 1 minute 30 seconds.",
    ],
    [
      "a resource",
      "shows an `import` block for the resource of the example",
      '```terraform\nimport {\n  to = tea_pot.one\n  id = "{shelf}/{leaf_name}"\n}\n```',
    ],
    [
      "a resource",
      "shows the command that imports",
      "```shell\nterraform import tea_pot.one '{shelf}/{leaf_name}'\n```",
    ],
    [
      "a resource",
      "shows how to import by the identity",
      '```terraform\nimport {\n  to = tea_pot.one\n  identity = {\n    leaf_name = "{leaf_name}"\n    cups      = [1]\n  }\n}\n```',
    ],
    [
      "a resource",
      "describes the identity",
      "### Identity Schema\n\n#### Required\n\n- `leaf_name` (String) Brewed.\n\n#### Optional\n\n- `cups` (List of Integer) Sizes.",
    ],
    ["settings", "links to functions", "## Functions\n\n- [`brew`](functions/brew.md): Brews tea."],
    ["an action", "says that it is one", "# tea_boil (Action)"],
    ["an action", "has a title for registries", 'page_title: "tea_boil Action - tea"'],
    ["an action", "lists its configuration", "### Required\n\n- `cups` (Integer) How many."],
    ["settings", "links to actions", "## Actions\n\n- [`tea_boil`](actions/boil.md): Boils water."],
    ["a list resource", "says that it is one", "# tea_pot (List Resource)"],
    ["a list resource", "says where its arguments are", "the `config` block of a `list` block"],
    ["a list resource", "lists its configuration", "### Optional\n\n- `shelf` (String) Where."],
    [
      "settings",
      "links to lists",
      "## List Resources\n\n- [`tea_pot`](list-resources/pot.md): Pots.",
    ],
    ["an ephemeral resource", "says that it is one", "# tea_key (Ephemeral Resource)"],
    ["a function", "starts with a title for registries", 'page_title: "brew function - tea"'],
    ["a function", "documents its purpose", "# brew (Function)\n\nBrews tea. It takes a while."],
    ["a function", "marks what is deprecated", "**Deprecated:** use the kettle."],
    [
      "a function",
      "has the signature",
      "```text\nprovider::tea::brew(leaf_name string, guests object...) object\n```",
    ],
    [
      "a function",
      "lists the arguments in order, with their rules",
      "1. `leaf_name` (String, Nullable) What is brewed.\n   - must start small\n2. `guests` (Object, Variadic)",
    ],
    [
      "a function",
      "describes the attributes of arguments",
      "Who drinks. May be known only after apply.\n   - `first_name` (String) Called.",
    ],
    [
      "a function",
      "describes the result, with an example",
      "## Result\n\nObject\n\n- `cup_count` (Integer) How many.\n\n```text\nprovider::tea::brew",
    ],
    ["a data source", "says that it is one", "# tea_menu (Data Source)"],
    [
      "a data source",
      "describes the outputs",
      "- `prices` (Map of Number) By leaf, in &lt;coins>.",
    ],
  ] as const)("of %s %s", (name, _, text) => {
    expect(page(names[name])).toContain(text);
  });

  it("has a target for each of its links", () => {
    for (const text of pages.values()) {
      const targets = [...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, target = ""]) => target);
      expect(targets.filter((target) => !text.includes(`<a id="${target}"></a>`))).toEqual([]);
    }
  });

  it("leaves out sections that have no content", () => {
    const bare = referencePages({
      provider: provider("bare", { doc: "Bare.", attributes: {} }),
      resources: [resource("bare_one", { doc: "One.", attributes: {} })],
    });
    const headings = [...bare.values()].map((text) => text.match(/^#+ .*/gm));
    expect(headings).toEqual([["# bare Provider", "## Resources"], ["# bare_one (Resource)"]]);
  });

  it.each([
    [undefined, "<!-- generated from the declarations, do not edit -->"],
    ["make docs", "<!-- generated by make docs, do not edit -->"],
  ])("says that it is generated, with the command %j", (command, mark) => {
    const written = referencePages({
      provider: settings,
      resources: [pot],
      functions: [brew],
      command,
    });
    expect(written.size).toBe(3);
    for (const text of written.values()) {
      expect(text).toMatch(/^---\n(?:.+\n)+---\n\n<!-- .* -->\n\n# /);
      expect(text).toContain(mark);
    }
  });

  it("marks rules of values that only warn", () => {
    const few = rule("should be few", (z) => z.unknown(), { warning: "one-few" });
    const one = resource("bare_one", {
      doc: "One.",
      attributes: { all: optional(t.set(t.string(), few), { doc: "All." }) },
    });
    const bare = provider("bare", { doc: "Bare.", attributes: {} });
    const text = referencePages({ provider: bare, resources: [one] }).get("resources/one.md");
    expect(text).toContain(
      "- `all` (Set of String) All.\n  - should be few (a warning, `one-few`)",
    );
  });
});

test("writes the first sentence of a documentation in one line", () => {
  const mug = resource("tea_mug", { doc: "A mug\nof `tea`. It is hot.", attributes: {} });
  const pages = referencePages({ provider: settings, resources: [mug] });
  expect(pages.get("resources/mug.md")).toContain("description: |-\n  A mug of tea.\n---");
  expect(pages.get("index.md")).toContain("[`tea_mug`](resources/mug.md): A mug of `tea`.\n");
});
