import { ConnectedProvider } from "../../../src/cli/import/connected-provider";
import { constructSource } from "../../../src/cli/import/construct-source";
import { importIdOf } from "../../../src/cli/import/settings";
import { inputsFor } from "../../../src/cli/import/inputs";
import { plainBody } from "../../../src/cli/import/source-text";
import {
  block,
  computed,
  implement,
  optional,
  optionalComputed,
  provider,
  providerRoutes,
  required,
  resource,
  conflicts,
  t,
} from "../../../src/core/provider-kit";

const note = resource("notes_note", {
  doc: "A note.",
  attributes: {
    fileName: required(t.string(), { doc: "Name.", requiresReplace: true }),
    text: optional(t.string(), { doc: "Text." }),
    token: optional(t.string(), { doc: "Token.", sensitive: true }),
    password: optional(t.string(), { doc: "Password.", writeOnly: true }),
    folder: optionalComputed(t.string(), { doc: "Folder.", default: "/notes" }),
    region: optionalComputed(t.string(), { doc: "Region." }),
    days: optionalComputed(t.number(), { doc: "Days." }),
    hours: optionalComputed(t.number(), { doc: "Hours." }),
    exact: optional(t.decimal(), { doc: "Exact." }),
    count64: optional(t.int64(), { doc: "Count." }),
    flags: optional(t.map(t.bool()), { doc: "Flags." }),
    owner: optional(
      t.object({
        name: required(t.string(), { doc: "Name." }),
        id: computed(t.string(), { doc: "ID." }),
      }),
      { doc: "Owner." },
    ),
    id: computed(t.string(), { doc: "ID.", useStateForUnknown: true }),
  },
  blocks: {
    reader: block.list(
      { attributes: { name: required(t.string(), { doc: "Name." }) } },
      { doc: "Readers." },
    ),
    place: block.list(
      { attributes: { city: required(t.string(), { doc: "City." }) } },
      { doc: "Place.", max: 1 },
    ),
  },
  rules: [conflicts("days", "hours")],
  importId: ["{folder}/{fileName}", "{fileName}"],
});

/** The state of every note. */
let stored: Readonly<Record<string, unknown>> = {};

const handlers = implement(note)<undefined>({
  create: () => Promise.reject(new Error("not called")),
  read: (state) => Promise.resolve({ ...state, ...stored }),
  update: () => Promise.reject(new Error("not called")),
  delete: () => Promise.reject(new Error("not called")),
});

const notes = {
  declaration: provider("notes", {
    source: "example.com/acme/notes",
    doc: "Notes.",
    attributes: {},
  }),
  configure: () => undefined,
  resources: [handlers],
};

const empty = {
  text: null,
  token: null,
  folder: "/notes",
  region: null,
  days: null,
  hours: null,
  exact: null,
  count64: null,
  flags: null,
  owner: null,
  id: "7",
  reader: [],
  place: [],
};

/** The construct for a note as it is stored. */
async function written(state: Readonly<Record<string, unknown>>) {
  stored = { ...empty, ...state };
  const routes = providerRoutes(notes);
  const started = await ConnectedProvider.start("notes", routes, new AbortController().signal);
  const { provider: connected, schemas } = started;
  await connected.configure(schemas.provider, plainBody(schemas.provider.block, {}));
  const schema = schemas.resources.get("notes_note");
  if (schema === undefined) throw new Error("no schema");
  const { existing } = await connected.import("notes_note", schema, "a.txt");
  if (existing === undefined) throw new Error("not imported");
  const inputs = await inputsFor("notes_note", schema, existing, connected);
  const importable = {
    declaration: note,
    source: "example.com/acme/notes",
    routes,
    className: "Note",
    imports: [],
    isOneOfSeveral: false,
    definition: undefined,
  };
  const found = { ...inputs, displayName: "a.txt", importId: "a.txt" };
  const text = constructSource(importable, [found], false);
  return {
    ...inputs,
    lines: text
      .split("\n")
      .slice(8, -3)
      .map((line) => line.trim()),
  };
}

it("writes what differs from what the provider would decide", async () => {
  const { lines, changed } = await written({
    text: "We need milk.",
    folder: "/other",
    region: "eu",
  });
  expect(lines).toEqual([
    'fileName: "a.txt",',
    'text: "We need milk.",',
    'folder: "/other",',
    'region: "eu",',
  ]);
  expect(changed).toEqual([]);
});

it("leaves defaults out", async () => {
  expect((await written({})).lines).toEqual(['fileName: "a.txt",']);
});

it("writes every type of value", async () => {
  const { lines, changed, errors } = await written({
    exact: "0.1",
    count64: 9007199254740993n,
    flags: { on: true, "off-now": false },
    owner: { name: "${ada}", id: "3" },
    reader: [{ name: "Ada" }, { name: "%{x}" }],
    place: [{ city: "Paris" }],
  });
  expect(lines.join(" ")).toBe(
    'fileName: "a.txt", exact: "0.1", count64: 9007199254740993n, ' +
      'flags: { "off-now": false, on: true, }, owner: { name: "$${ada}", }, ' +
      'reader: [ { name: "Ada", }, { name: "%%{x}", }, ], place: { city: "Paris", },',
  );
  expect([changed, errors]).toEqual([[], []]);
});

it("leaves out one of two attributes that conflict", async () => {
  const { lines, changed, errors } = await written({ days: 2, hours: 48 });
  expect(lines).toEqual(['fileName: "a.txt",', "hours: 48,"]);
  expect([changed, errors]).toEqual([[], []]);
});

it("writes no secret, and says what the plan changes without it", async () => {
  const { lines, secrets } = await written({ token: "hunter2" });
  expect(secrets).toEqual(["token"]);
  expect(lines.join("\n")).not.toContain("hunter2");
});

it.each([
  [{ folder: "/notes", file_name: "a.txt" }, "/notes/a.txt"],
  [{ folder: null, file_name: "a.txt" }, "a.txt"],
  [{ id: "7" }, "7"],
  [{}, undefined],
])("imports %p by %p", (state, id) => {
  expect(importIdOf(note, state)).toBe(id);
});
