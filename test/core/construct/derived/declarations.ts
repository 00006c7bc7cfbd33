import {
  block,
  computed,
  dataSource,
  ephemeralResource,
  optional,
  optionalComputed,
  parameter,
  provider,
  providerFunction,
  required,
  resource,
  stringRule,
  t,
  variadic,
} from "../../../../src/core/schema";

/** What a provider of a user declares. */
export const notes = provider("notes", {
  source: "example.com/acme/notes",
  doc: "Notes.",
  attributes: {
    folder: required(t.string(), { doc: "Folder of the notes." }),
    isDry: optional(t.bool(), { doc: "Writes nothing." }),
  },
});

const place = t.object({
  shelf: required(t.string(), { doc: "Shelf." }),
  row: optional(t.integer(), { doc: "Row." }),
});

export const note = resource("notes_note", {
  doc: "A note.",
  attributes: {
    fileName: required(t.string(stringRule([[/\.txt$/, "must end with .txt"]])), {
      doc: "Name of the file.",
      requiresReplace: true,
    }),
    /** What the note says. */
    text: optional(t.string(), { doc: "What the note says." }),
    colour: optionalComputed(t.oneOf(["red", "blue"]), { doc: "Colour.", default: "red" }),
    size: optional(t.int64(), { doc: "Size." }),
    price: optional(t.decimal(), { doc: "Price." }),
    anything: optional(t.dynamic(), { doc: "Anything." }),
    tags: optional(t.set(t.string()), { doc: "Tags." }),
    counts: optional(t.map(t.number()), { doc: "Counts." }),
    place: optional(place, { doc: "Place." }),
    places: optional(t.list(place), { doc: "Places." }),
    node: optional(t.string(), { doc: "Has the name of a member of every construct." }),
    words: computed(t.list(t.string()), { doc: "Words." }),
    path: computed(t.string(), { doc: "Path.", wire: "full_path" }),
  },
  blocks: {
    lock: block.set(
      {
        attributes: { key: required(t.string(), { doc: "Key." }) },
        blocks: {
          owner: block.list(
            { attributes: { name: optional(t.string(), { doc: "Name." }) } },
            { doc: "Owner.", max: 1 },
          ),
        },
      },
      { doc: "Lock.", max: 1 },
    ),
    line: block.list(
      { attributes: { text: optional(t.string(), { doc: "Text." }) } },
      { doc: "Lines." },
    ),
  },
  timeouts: { create: 60_000 },
});

export const found = dataSource("notes_found", {
  doc: "The notes that exist.",
  attributes: { names: computed(t.list(t.string()), { doc: "Names." }) },
});

export const lease = ephemeralResource("notes_lease", {
  doc: "A key to a note.",
  attributes: {
    fileName: required(t.string(), { doc: "Name of the file." }),
    key: computed(t.string(), { doc: "Key.", sensitive: true }),
  },
});

export const slug = providerFunction("slug", {
  summary: "The name of a file",
  doc: "The name of a file for a title.",
  parameters: {
    title: parameter(t.string(stringRule([[/./, "must not be empty"]])), { doc: "Title." }),
    limit: parameter(t.integer(), { doc: "Limit.", allowNull: true }),
    tags: variadic(t.string(), { doc: "Tags." }),
  },
  returns: t.string(),
});

export const parse = providerFunction("parse", {
  summary: "The parts of a name",
  doc: "The parts of a name.",
  parameters: { name: parameter(t.string(), { doc: "Name." }) },
  returns: t.object({
    baseName: computed(t.string(), { doc: "Name." }),
    count: computed(t.number(), { doc: "Count." }),
  }),
});
