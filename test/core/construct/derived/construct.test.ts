import {
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
  type IResolvable,
} from "cdktf";
import { construct, ValidationError } from "../../../../src";
import { isRecord, parseTrustedJson } from "../../../../src/core/json/plain-json";
import { action, listResource, optional, provider, required, t } from "../../../../src/core/schema";
import { type Same, assertType } from "../../../accept/props";
import { found, lease, note, notes, parse, slug } from "./declarations";

const NotesProvider = construct(notes);
const Note = construct(note);
const Found = construct(found);
const Lease = construct(lease);
const slugOf = construct(slug, notes);
const parseName = construct(parse, notes);

/** cdktn refuses what the versions do not have that a stack is for. */
const context = { targetVersions: { terraform: ">=1.10" } };

function newStack(): TerraformStack {
  const stack = new TerraformStack(Testing.app({ context }), "Demo");
  new NotesProvider(stack, "notes", { folder: "." });
  return stack;
}

/** The synthesized, validated stack, or a part of it. */
function synthesized(stack: TerraformStack, ...path: readonly string[]): unknown {
  const all = parseTrustedJson(Testing.synth(stack, true));
  return path.reduce((at, step) => (isRecord(at) ? at[step] : undefined), all);
}

/** What tokens become in an output. */
function read(stack: TerraformStack, values: Readonly<Record<string, unknown>>): unknown {
  for (const [name, value] of Object.entries(values)) new TerraformOutput(stack, name, { value });
  const outputs = synthesized(stack, "output");
  return Object.fromEntries(
    Object.entries(isRecord(outputs) ? outputs : {}).map(([name, output]) => [
      name,
      isRecord(output) ? output["value"] : undefined,
    ]),
  );
}

test("a resource has the declared properties, by Terraform's names", () => {
  const stack = newStack();
  new Note(stack, "milk", {
    fileName: "milk.txt",
    colour: "blue",
    size: 9_007_199_254_740_993n,
    price: "0.10",
    anything: { a: [1] },
    tags: ["a"],
    counts: { a: 1 },
    place: { shelf: "a", row: 2 },
    places: [{ shelf: "b" }],
    lock: { key: "k", owner: { name: "Ada" } },
    line: [{ text: "one" }, { text: "two" }],
    timeouts: { create: "10s" },
  });
  expect(synthesized(stack, "resource", "notes_note", "milk")).toEqual({
    file_name: "milk.txt",
    colour: "blue",
    size: "${9007199254740993}",
    price: "0.10",
    anything: { a: [1] },
    tags: ["a"],
    counts: { a: 1 },
    place: { shelf: "a", row: 2 },
    places: [{ shelf: "b" }],
    lock: { key: "k", owner: { name: "Ada" } },
    line: [{ text: "one" }, { text: "two" }],
    timeouts: { create: "10s" },
  });
});

test("a provider has its source, a version if one is required, and an alias", () => {
  const stack = newStack();
  const Pinned = construct(provider("ink", { source: "acme/ink", doc: "", attributes: {} }), {
    version: "~> 1.2",
  });
  new Pinned(stack, "ink");
  const other = new NotesProvider(stack, "other", { folder: "/tmp", isDry: true, alias: "other" });
  expect(synthesized(stack, "terraform", "required_providers")).toEqual({
    notes: { source: "example.com/acme/notes" },
    ink: { source: "acme/ink", version: "~> 1.2" },
  });
  expect(synthesized(stack, "provider")).toEqual({
    notes: [{ folder: "." }, { folder: "/tmp", is_dry: true, alias: "other" }],
    ink: [{}],
  });
  expect(other.terraformConfig()).toEqual({ folder: "/tmp", is_dry: true });
  expect(other.fqn).toBe("notes.other");
});

test("outputs are tokens of the declared types", () => {
  const stack = newStack();
  const { path, words, colour, place, places, lock, line, tags, counts, size } = new Note(
    stack,
    "milk",
    { fileName: "milk.txt" },
  );
  assertType<Same<typeof path, string>>(true);
  assertType<Same<typeof words, string[]>>(true);
  assertType<Same<typeof colour, IResolvable>>(true);
  assertType<Same<typeof size, number>>(true);
  const at = "notes_note.milk";
  const values = {
    path,
    words,
    colour,
    shelf: place.shelf,
    row: places.get(1).row,
    all: places,
    owner: lock.owner.name,
    line: line.get(0).text,
    tags,
    counts,
    size,
  };
  expect(read(stack, values)).toEqual({
    path: `\${${at}.full_path}`,
    words: `\${${at}.words}`,
    colour: `\${${at}.colour}`,
    shelf: `\${one(${at}.place[*].shelf)}`,
    row: `\${${at}.places[1].row}`,
    all: `\${${at}.places}`,
    owner: `\${try(one(one(${at}.lock[*].owner[*].name)), null)}`,
    line: `\${${at}.line[0].text}`,
    tags: `\${tolist(${at}.tags)}`,
    counts: `\${${at}.counts}`,
    size: `\${${at}.size}`,
  });
});

test("an output whose name every construct has is read from the binding", () => {
  const stack = newStack();
  const milk = new Note(stack, "milk", { fileName: "milk.txt", node: "n" });
  expect(milk.node.id).toBe("milk");
  const value = milk.resource.getStringAttribute("node");
  expect(read(stack, { value })).toEqual({ value: "${notes_note.milk.node}" });
});

test("outputs are properties of other constructs", () => {
  const stack = newStack();
  const milk = new Note(stack, "milk", { fileName: "milk.txt" });
  new Note(stack, "tea", {
    fileName: `${milk.path}.txt`,
    text: milk.text,
    colour: milk.colour,
    size: milk.size,
    tags: milk.tags,
    counts: milk.counts,
    places: milk.places,
    dependsOn: [milk],
  });
  expect(synthesized(stack, "resource", "notes_note", "tea")).toEqual({
    file_name: "${notes_note.milk.full_path}.txt",
    text: "${notes_note.milk.text}",
    colour: "${notes_note.milk.colour}",
    size: "${notes_note.milk.size}",
    tags: "${tolist(notes_note.milk.tags)}",
    counts: "${notes_note.milk.counts}",
    places: "${notes_note.milk.places}",
    depends_on: ["notes_note.milk"],
  });
});

test("rules are checked before synthesis, at the line of the user", () => {
  const stack = newStack();
  const declare = (): unknown => new Note(stack, "milk", { fileName: "milk.md" });
  expect(declare).toThrow(
    'notes.Note at Demo/milk: 1 problem\n  fileName: must end with .txt (got "milk.md")',
  );
  const error = errorOf(declare);
  expect(error).toBeInstanceOf(ValidationError);
  expect(error.stack?.split("\n").find((line) => /^\s+at /.test(line))).toMatch(
    /construct\.test\.ts:\d+/,
  );
});

test("a stack without the provider is told what it needs", () => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new Note(stack, "milk", { fileName: "milk.txt" });
  expect(() => Testing.synth(stack, true)).toThrow("needs a provider in its stack");
});

test("a class can be extended", () => {
  class Shopping extends Note {
    constructor(scope: TerraformStack, what: string) {
      super(scope, what, { fileName: `${what}.txt`, text: `We need ${what}.` });
    }
  }
  const stack = newStack();
  const { path } = new Shopping(stack, "milk");
  expect(read(stack, { path })).toEqual({ path: "${notes_note.milk.full_path}" });
});

test("resources are imported and moved, and have meta-arguments", () => {
  const stack = newStack();
  const other = new NotesProvider(stack, "other", { folder: "/tmp", alias: "other" });
  const milk = new Note(stack, "milk", {
    fileName: "milk.txt",
    provider: other,
    count: 2,
    lifecycle: { preventDestroy: true },
  });
  new Note(stack, "tea", { fileName: "tea.txt" }).importFrom("tea.txt", other);
  new Note(stack, "old", { fileName: "old.txt" }).moveFromId("notes_note.older");
  expect(synthesized(stack, "resource", "notes_note", "milk")).toEqual({
    file_name: "milk.txt",
    provider: "notes.other",
    count: 2,
    lifecycle: { prevent_destroy: true },
  });
  expect(synthesized(stack, "import")).toEqual([
    { id: "tea.txt", to: "notes_note.tea", provider: "notes.other" },
  ]);
  expect(synthesized(stack, "moved")).toEqual([{ from: "notes_note.older", to: "notes_note.old" }]);
  expect(() => {
    milk.moveFromId("older");
  }).toThrow(
    'milk: moveFromId needs the address of a resource, such as "notes_note.older" (got "older").',
  );
  expect(milk.fqn).toBeDefined();
  expect(Note.typeToken).toBe("trivet:notes/v1:Note");
});

test("a data source needs no properties if none is required", () => {
  const stack = newStack();
  const { names } = new Found(stack, "found");
  expect(read(stack, { names })).toEqual({ names: "${data.notes_found.found.names}" });
  expect(synthesized(stack, "data", "notes_found")).toEqual({ found: {} });
});

test("an ephemeral resource is a section of its own, also with overrides and dependencies", () => {
  const stack = newStack();
  const milk = new Note(stack, "milk", { fileName: "milk.txt" });
  const plain = new Lease(stack, "plain", { fileName: "milk.txt" });
  const changed = new Lease(stack, "changed", { fileName: milk.fileName });
  changed.addOverride("count", 1);
  changed.node.addDependency(milk);
  new NotesProvider(stack, "other", { folder: plain.key, alias: "other" });
  expect(synthesized(stack, "ephemeral", "notes_lease")).toEqual({
    plain: { file_name: "milk.txt" },
    changed: {
      file_name: "${notes_note.milk.file_name}",
      count: 1,
      depends_on: ["notes_note.milk"],
    },
  });
  expect(synthesized(stack, "data")).toBeUndefined();
  expect(synthesized(stack, "provider", "notes", "1", "folder")).toBe(
    "${ephemeral.notes_lease.plain.key}",
  );
  expect(Token.isUnresolved(plain.fqn)).toBe(true);
});

test("a function is called by the names of its parameters", () => {
  const stack = newStack();
  const region = new TerraformVariable(stack, "region", { type: "string" });
  const call = 'provider::notes::slug("Milk, \\"please\\"\\n", null, "a", var.region)';
  const one = slugOf({ title: 'Milk, "please"\n', limit: null, tags: ["a", region.stringValue] });
  const raw = slugOf({ title: '${lookup(var.names, "a")} "b"', limit: 3 });
  const parts = parseName({ name: one });
  assertType<Same<typeof one, string>>(true);
  assertType<Same<typeof parts.count, number>>(true);
  expect(read(stack, { one, raw, base: parts.baseName, count: parts.count })).toEqual({
    one: `\${${call}}`,
    raw: '${provider::notes::slug("${lookup(var.names, "a")} \\"b\\"", 3)}',
    base: `\${provider::notes::parse(${call}).base_name}`,
    count: `\${provider::notes::parse(${call}).count}`,
  });
});

test("the arguments of a function are checked before synthesis, at the line of the user", () => {
  const declare = (): unknown => slugOf({ title: "", limit: null });
  expect(declare).toThrow('provider::notes::slug: 1 problem\n  title: must not be empty (got "")');
  expect(errorOf(declare).stack).toMatch(/\n +at .*construct\.test\.ts:\d+/);
});

test("a declaration without a class is refused with the reason", () => {
  const unnamed = provider("ink", { doc: "", attributes: {} });
  expect(() => construct(unnamed)).toThrow(
    'has no source: write provider("ink", { source: "example.com/acme/ink", … })',
  );
  const query = listResource({ ...note, identity: note }, { doc: "Notes.", attributes: {} });
  expect(() => construct(query as never)).toThrow('not for a declaration of kind "list resource"');
});

const ping = action("notes_ping", {
  doc: "Pings.",
  attributes: {
    channel: required(t.string(), { doc: "Channel." }),
    times: optional(t.number(), { doc: "How often." }),
  },
});
const Ping = construct(ping);

test("an action is run by the events of resources", () => {
  const stack = newStack();
  const milk = new Note(stack, "milk", { fileName: "milk.txt" });
  const tea = new Note(stack, "tea", { fileName: "tea.txt" });
  const first = new Ping(stack, "first", { channel: "a", times: 2, count: 2 });
  first.triggeredBy(milk, "after_create", "after_update");
  first.triggeredBy(tea.resource, "before_create");
  new Ping(stack, "second", { channel: tea.path }).triggeredBy(milk, "before_update");
  const { action: actions, resource } = synthesized(stack) as {
    readonly action: { readonly notes_ping: Readonly<Record<string, object>> };
    readonly resource: { readonly notes_note: Readonly<Record<string, object>> };
  };
  expect(actions.notes_ping["first"]).toMatchObject({
    count: 2,
    config: { channel: "a", times: 2 },
  });
  expect(actions.notes_ping["second"]).toMatchObject({
    config: { channel: "${notes_note.tea.full_path}" },
  });
  expect(resource.notes_note["milk"]).toMatchObject({
    lifecycle: {
      action_trigger: [
        { events: ["after_create", "after_update"], actions: ["action.notes_ping.first"] },
        { events: ["before_update"], actions: ["action.notes_ping.second"] },
      ],
    },
  });
  expect(resource.notes_note["tea"]).toMatchObject({
    lifecycle: {
      action_trigger: [{ events: ["before_create"], actions: ["action.notes_ping.first"] }],
    },
  });
  expect(() => {
    first.triggeredBy(milk);
  }).toThrow('triggeredBy needs an event, such as "after_create"');
});

test("the compiler refuses properties that the declaration lacks", () => {
  const stack = newStack();
  const declare = (): void => {
    // @ts-expect-error the name of the file is required
    new Note(stack, "a", { text: "a" });
    // @ts-expect-error not one of the values
    new Note(stack, "b", { fileName: "b.txt", colour: "green" });
    // @ts-expect-error an output is not an input
    new Note(stack, "c", { fileName: "c.txt", path: "c" });
    // @ts-expect-error a nested value has another type
    new Note(stack, "d", { fileName: "d.txt", place: { shelf: 1 } });
    // @ts-expect-error a lock has a key
    new Note(stack, "e", { fileName: "e.txt", lock: {} });
    // @ts-expect-error the folder is required
    new NotesProvider(stack, "f");
    // @ts-expect-error a title is a text
    slugOf({ title: 1, limit: null });
    // @ts-expect-error not an event
    new Ping(stack, "p", { channel: "a" }).triggeredBy(stack, "created");
    const milk = new Note(stack, "g", { fileName: "g.txt" });
    // @ts-expect-error outputs are read-only
    milk.text = "x";
  };
  expect(declare).toThrow(ValidationError);
});

function errorOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
