import {
  block,
  computed,
  conflicts,
  optional,
  required,
  requires,
  optionalComputed,
  resource,
  rule,
  t,
  stringRule,
} from "../../../src/core/schema";

const lowercase = stringRule([
  [/^[a-z]/, "must start with a lowercase letter"],
  [/^[a-z-]*$/, "must consist of lowercase letters and hyphens"],
]);

const few = rule("must hold at most 2", (z) =>
  z.unknown().check(z.maxLength(2, "must hold at most 2")),
);

/** A declaration with everything that can be declared. */
export const kitchen = resource("house_kitchen", {
  doc: "A kitchen.",
  version: 3,
  attributes: {
    kitchenName: required(t.string(lowercase), { doc: "Its name.", requiresReplace: true }),
    style: optional(t.oneOf(["old", "new"]), { doc: "How it looks." }),
    area: optional(t.number(), { doc: "In square metres." }),
    serial: optional(t.integer(), { doc: "Of any size." }),
    rent: optional(t.decimal(), { doc: "By month." }),
    meter: optional(t.int64(), { doc: "What it shows." }),
    lit: optionalComputed(t.bool(), { doc: "Whether there is light.", default: true }),
    extra: optional(t.dynamic(), { doc: "Anything." }),
    guests: optional(t.list(t.string(), few), { doc: "In order." }),
    tags: optional(t.set(t.string()), { doc: "Without order." }),
    labels: optional(t.map(t.string()), { doc: "By key." }),
    pinCode: optional(t.string(lowercase), { doc: "Opens it.", sensitive: true }),
    gas: optional(t.bool(), {
      doc: "Gas.",
      deprecated: (label) => `use \`${label("kitchenName")}\``,
    }),
    oven: optional(
      t.object({
        maxHeat: required(t.number(), { doc: "Degrees." }),
        brand: optionalComputed(t.string(), { doc: "Maker." }),
        key: optional(t.string(lowercase), { doc: "Opens it.", sensitive: true }),
        warmth: computed(t.number(), { doc: "Now." }),
      }),
      { doc: "The oven." },
    ),
    shelves: optional(t.list(t.object({ width: required(t.number(), { doc: "Width." }) })), {
      doc: "From the top.",
    }),
    drawers: optionalComputed(
      t.map(t.object({ content: optional(t.string(), { doc: "What is in it." }) })),
      { doc: "By name." },
    ),
    hooks: computed(t.set(t.object({ at: computed(t.string(), { doc: "Where." }) })), {
      doc: "On the wall.",
    }),
    kitchenId: computed(t.string(), { doc: "Its ID.", wire: "id", useStateForUnknown: true }),
  },
  blocks: {
    window: block.list(
      {
        attributes: {
          openWide: optional(t.bool(), { doc: "Open." }),
          tilted: optional(t.bool(), { doc: "Tilted." }),
          glassId: computed(t.string(), { doc: "ID of the glass." }),
        },
        blocks: {
          curtain: block.single(
            { attributes: { colour: required(t.string(), { doc: "Colour." }) } },
            { doc: "In front of it.", deprecated: (label) => `use \`${label("openWide")}\`` },
          ),
        },
        rules: [conflicts("openWide", "tilted")],
      },
      { doc: "Windows.", min: 1, max: 2 },
    ),
    spices: block.set(
      { attributes: { name: required(t.string(), { doc: "Name." }) } },
      { doc: "Spices.", wire: "spice" },
    ),
    sink: block.single(
      { attributes: { deep: optionalComputed(t.bool(), { doc: "Deep." }) } },
      { doc: "The sink.", min: 1 },
    ),
  },
  rules: [requires("serial", "style")],
  timeouts: { create: 1000, delete: 2000 },
  importId: ["{kitchenName}"],
});
