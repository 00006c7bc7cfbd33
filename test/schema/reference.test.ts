import {
  advise,
  block,
  computed,
  conflicts,
  dataSource,
  exactlyOneOf,
  optional,
  parameter,
  provider,
  providerFunction,
  referencePage,
  required,
  optionalComputed,
  resource,
  rule,
  t,
  stringRule,
  variadic,
} from "../../src/schema";

const settings = provider("tea", {
  doc: "Tea of a house.",
  attributes: {
    kettleUrl: optional(t.string(), { doc: "Where the kettle is.", env: ["KETTLE_URL", "KETTLE"] }),
    secretKey: optional(t.string(), { doc: "Opens the pantry.", sensitive: true, env: ["KEY"] }),
  },
  rules: [conflicts("kettleUrl", "secretKey")],
});

const pot = resource("tea_pot", {
  doc: "A pot of tea.",
  attributes: {
    leafName: required(textRuled(), { doc: "What is brewed.", requiresReplace: true }),
    size: optionalComputed(t.integer(), { doc: "Cups.", default: 4 }),
    shelf: optionalComputed(t.string(), { doc: "Where it is stored." }),
    kinds: optional(t.list(t.oneOf(["black", "green"])), { doc: "Blended." }),
    old: optional(t.bool(), { doc: "Not used.", deprecated: "use `size`" }),
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
    advise({ name: "size", doc: "should be set", when: () => false }),
  ],
  timeouts: { create: 90_000, delete: 3_600_000 },
  importId: ["{shelf}/{leafName}"],
});

const menu = dataSource("tea_menu", {
  doc: "What is available.",
  attributes: { prices: computed(t.map(t.number()), { doc: "By leaf." }) },
});

function textRuled() {
  return t.string(stringRule([[/^[a-z]/, "must start small"]]));
}

const page = referencePage({ provider: settings, resources: [pot], dataSources: [menu] });

describe("the reference page", () => {
  it.each([
    ["names the provider and what it is", "# Provider `tea`\n\nTea of a house."],
    ["links to what the provider offers", "- [`tea_pot`](#resource-tea_pot)"],
    ["links to data sources", "- [`tea_menu`](#data-source-tea_menu)"],
    ["gives both names of an attribute", "- **`kettleUrl`** (`kettle_url`), string, optional:"],
    ["gives a name once if both are the same", "- **`shelf`**, string, optional, otherwise set by"],
    [
      "lists environment variables in order",
      "default: the first of `KETTLE_URL`, `KETTLE` that is set in the environment",
    ],
    ["names a single environment variable", "default: the environment variable `KEY`"],
    ["marks what is sensitive", "(`secret_key`), string, optional, sensitive: Opens"],
    ["lists the rules of settings", "- at most one of `kettleUrl`, `secretKey` can be set"],
    [
      "marks what requires a replacement",
      "string, **required**, **a change replaces the resource**: What is brewed.",
    ],
    ["lists the rules of a value", "\n  - must start small\n"],
    ["lists defaults", "- **`size`**, integer, optional, default `4`: Cups."],
    [
      "lists the values of elements",
      "list of strings, optional: Blended.\n  - each one of `black`, `green`",
    ],
    ["marks what is deprecated", "  - **deprecated**: use `size`"],
    [
      "describes nested attributes",
      "The lid.\n  - **`knobColor`** (`knob_color`), string, optional: Of the knob.",
    ],
    ["lists the rules of resources", "- exactly one of `shelf`, `old` must be set"],
    ["marks advice as a warning", "- `size` should be set (a warning)"],
    [
      "describes blocks",
      "### Block `tea_pot.guests`\n\n`guest` in Terraform, list of blocks, at least 1, at most 3: Who drinks.",
    ],
    [
      "describes blocks in blocks",
      "#### Block `tea_pot.guests.sugar`\n\n`sugar` in Terraform, exactly once",
    ],
    [
      "lists outputs separately",
      "### Outputs of `tea_pot`\n\n- **`agentId`** (`id`), string, kept while",
    ],
    [
      "writes timeouts as durations",
      "- **`create`**: default 1 minute 30 seconds\n- **`delete`**: default 1 hour",
    ],
    ["shows how to import", "```sh\nterraform import tea_pot.NAME '{shelf}/{leaf_name}'\n```"],
    ["describes data sources", "- **`prices`**, map of numbers: By leaf."],
  ])("%s", (_, text) => {
    expect(page).toContain(text);
  });

  it("describes timeouts once: they are not an ordinary block", () => {
    expect(page).not.toContain("Block `tea_pot.timeouts`");
    expect(page.match(/How long an operation may take/g)).toHaveLength(1);
  });

  it("leaves out sections that have no content", () => {
    const bare = referencePage({
      provider: provider("bare", { doc: "Bare.", attributes: {} }),
      resources: [resource("bare_one", { doc: "One.", attributes: {} })],
    });
    expect(bare.match(/^#+ .*/gm)).toEqual(["# Provider `bare`", "## Resource `bare_one`"]);
  });

  it("marks rules of values that only warn", () => {
    const few = rule("should be few", (z) => z.unknown(), { code: "ADVICE", severity: "warning" });
    const one = resource("bare_one", {
      doc: "One.",
      attributes: { all: optional(t.set(t.string(), few), { doc: "All." }) },
    });
    const text = referencePage({
      provider: provider("bare", { doc: "Bare.", attributes: {} }),
      resources: [one],
    });
    expect(text).toContain(
      "- **`all`**, set of strings, optional: All.\n  - should be few (a warning)",
    );
  });
});

test("documents the arguments and the result of a function", () => {
  const brew = providerFunction("brew", {
    summary: "Brews",
    doc: "Brews tea.",
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
  const page = referencePage({ provider: settings, resources: [], functions: [brew] });
  expect(page).toContain("- [`brew`](#function-brew)");
  expect(page.slice(page.indexOf("## Function"))).toMatchSnapshot();
});
