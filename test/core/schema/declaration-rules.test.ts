import {
  action,
  type Attribute,
  type Attributes,
  block,
  type Blocks,
  computed,
  dataSource,
  ephemeralResource,
  listResource,
  optional,
  optionalComputed,
  parameter,
  provider,
  providerFunction,
  providerMeta,
  required,
  requiredForImport,
  resource,
  t,
  timeouts,
  variadic,
} from "../../../src/core/schema";
import type { declarationRules, headRules } from "../../../src/core/schema/declaration-rules";

const doc = "x";
const text = optional(t.string(), { doc });
const any = optional(t.dynamic(), { doc });
const made = computed(t.string(), { doc });
const secret = optional(t.string(), { doc, writeOnly: true });
const named = (wire: string): Attributes => ({ a: optional(t.string(), { doc, wire }) });
const same = optional(t.string(), { doc, semanticEquals: () => true });
const inList = (attributes: Attributes) => ({
  rows: optional(t.list(t.object(attributes)), { doc }),
});

const bag = (attributes: Attributes, blocks: Blocks = {}) =>
  resource("s", { doc, attributes, blocks });
const ofBlocks = (blocks: Blocks) => bag({}, blocks);
const identity = (attributes: Attributes, version = 0) =>
  resource("s", { doc, attributes: {}, identity: { attributes, version } });
const listed = resource("s", {
  doc,
  attributes: {},
  identity: { attributes: { a: requiredForImport(t.string(), { doc }) } },
});

type RuleName = keyof typeof declarationRules | keyof typeof headRules;

/** Declarations that break a rule, and how the message begins. */
const refused: Readonly<Record<RuleName, readonly (readonly [() => unknown, string])[]>> = {
  type: [
    [
      () => resource("2fa_key", { doc, attributes: {} }),
      '2fa_key: the type "2fa_key" must consist of letters',
    ],
    [() => dataSource("", { doc, attributes: {} }), ': the type "" must consist of letters'],
    [() => action("a b", { doc, attributes: {} }), 'a b: the type "a b" must consist of letters'],
  ],
  version: [
    [
      () => resource("s", { doc, attributes: {}, version: -1 }),
      "s: the version must be a whole number (got -1)",
    ],
    [
      () => resource("s", { doc, attributes: {}, version: 0.5 }),
      "s: the version must be a whole number",
    ],
    [
      () => identity({ a: requiredForImport(t.string(), { doc }) }, -1),
      "s.identity: the version must",
    ],
  ],
  name: [
    [() => bag({ "2fa": text }), 's.2fa: the name "2fa" must consist of lowercase letters'],
    [() => bag(named("Count")), 's.a: the name "Count" must consist of'],
    [() => bag(named("a-b")), 's.a: the name "a-b" must consist of'],
    [() => bag(named("")), 's.a: the name "" must consist of'],
    [() => bag(inList(named("é"))), 's.rows.a: the name "é" must consist of'],
    [
      () => ofBlocks({ "2fa": block.list({ attributes: {} }, { doc }) }),
      's.2fa: the name "2fa" must consist of',
    ],
    [
      () => ofBlocks({ b: block.single({ attributes: named("a.b") }, { doc }) }),
      's.b.a: the name "a.b" must consist of',
    ],
    [
      () => identity({ a: requiredForImport(t.string(), { doc, wire: "A" }) }),
      's.identity.a: the name "A" must consist of',
    ],
    [
      () =>
        providerFunction("f", {
          summary: doc,
          doc,
          parameters: { a: parameter(t.string(), { doc, wire: "1" }) },
          returns: t.string(),
        }),
      'f.a: the name "1" must consist of',
    ],
  ],
  "reserved name": [
    ...[
      "count",
      "depends_on",
      "for_each",
      "lifecycle",
      "provider",
      "connection",
      "provisioner",
    ].flatMap((name) => {
      const body = { doc, attributes: named(name) };
      const blocks = { a: block.list({ attributes: {} }, { doc, wire: name }) };
      const message = `s.a: the name "${name}" is reserved by Terraform`;
      return [
        () => resource("s", body),
        () => dataSource("s", body),
        () => ephemeralResource("s", body),
        () => action("s", body),
        () => listResource(listed, body),
        () => ofBlocks(blocks),
      ].map((declare) => [declare, message] as const);
    }),
    ...["_", "locals"].map(
      (name) => [() => bag(named(name)), `s.a: the name "${name}" is reserved`] as const,
    ),
    ...[
      "alias",
      "version",
      "source",
      "count",
      "depends_on",
      "for_each",
      "lifecycle",
      "_",
      "locals",
    ].map(
      (name) =>
        [
          () => provider("s", { doc, attributes: named(name) }),
          `s.a: the name "${name}" is reserved`,
        ] as const,
    ),
    [
      () => ofBlocks({ dynamic: block.set({ attributes: {} }, { doc }) }),
      's.dynamic: the name "dynamic"',
    ],
    [
      () => {
        const inner = { dynamic: block.list({ attributes: {} }, { doc }) };
        return ofBlocks({ b: block.list({ attributes: {}, blocks: inner }, { doc }) });
      },
      's.b.dynamic: the name "dynamic"',
    ],
  ],
  "unique name": [
    [
      () => bag({ a: text, b: optional(t.string(), { doc, wire: "a" }) }),
      "s.b: another attribute or block",
    ],
    [
      () => bag({ fileName: text, file_name: text }),
      's.file_name: another attribute or block already has the name "file_name"',
    ],
    [() => bag({ a: text }, { a: block.list({ attributes: {} }, { doc }) }), "s.a: another"],
    [
      () => bag({ a: text }, { a: block.list({ attributes: {} }, { doc, wire: "b" }) }),
      "s.a: another",
    ],
    [
      () => bag(inList({ a: text, b: optional(t.string(), { doc, wire: "a" }) })),
      "s.rows.b: another",
    ],
    [
      () => resource("s", { doc, attributes: named("timeouts"), timeouts: { create: 1 } }),
      "s.timeouts: another",
    ],
    [
      () =>
        resource("s", {
          doc,
          attributes: {},
          blocks: { timeouts: block.single({ attributes: {} }, { doc }) },
          timeouts: { create: 1 },
        }),
      's: `timeouts` already declares the block "timeouts"',
    ],
    [
      () =>
        providerFunction("f", {
          summary: doc,
          doc,
          parameters: {
            a: parameter(t.string(), { doc }),
            b: variadic(t.string(), { doc, wire: "a" }),
          },
          returns: t.string(),
        }),
      "f.b: another",
    ],
  ],
  "dynamic in a collection": [
    [
      () => bag({ a: computed(t.list(t.dynamic()), { doc }) }),
      "s.a: a list cannot contain dynamic values",
    ],
    [() => bag({ a: optional(t.map(t.dynamic()), { doc }) }), "s.a: a map cannot contain"],
    [() => bag({ a: optional(t.set(t.object({ v: any })), { doc }) }), "s.a: a set cannot contain"],
    [
      () => bag({ a: optional(t.list(t.list(t.dynamic())), { doc }) }),
      "s.a: a list cannot contain",
    ],
    [
      () => bag({ a: optional(t.object({ b: optional(t.map(t.dynamic()), { doc }) }), { doc }) }),
      "s.a.b: a map",
    ],
    [
      () => bag(inList({ a: optional(t.object({ v: any }), { doc }) })),
      "s.rows: a list cannot contain",
    ],
    [
      () => ofBlocks({ b: block.list({ attributes: { v: any } }, { doc }) }),
      "s.b: a repeated block cannot",
    ],
    [
      () => ofBlocks({ b: block.set({ attributes: { v: any } }, { doc }) }),
      "s.b: a repeated block cannot",
    ],
    [
      () => {
        const inner = { c: block.single({ attributes: { v: any } }, { doc }) };
        return ofBlocks({ b: block.list({ attributes: {}, blocks: inner }, { doc }) });
      },
      "s.b: a repeated block cannot",
    ],
    [
      () =>
        providerFunction("f", { summary: doc, doc, parameters: {}, returns: t.list(t.dynamic()) }),
      "f.result: a list cannot contain",
    ],
    [
      () =>
        providerFunction("f", {
          summary: doc,
          doc,
          parameters: { a: variadic(t.set(t.dynamic()), { doc }) },
          returns: t.string(),
        }),
      "f.a: a set cannot contain",
    ],
  ],
  "write-only kind": [
    [
      () => dataSource("s", { doc, attributes: { secret } }),
      "s.secret: only attributes of resources",
    ],
    [
      () => provider("s", { doc, attributes: inList({ secret }) }),
      "s.rows.secret: only attributes",
    ],
    [() => ephemeralResource("s", { doc, attributes: { secret } }), "s.secret: only attributes"],
    [() => providerMeta("s", { doc, attributes: { secret } }), "s.secret: only attributes"],
    [() => listResource(listed, { doc, attributes: { secret } }), "s.secret: only attributes"],
  ],
  "write-only in a set": [
    [
      () => bag({ a: optional(t.set(t.object({ secret })), { doc }) }),
      "s.a.secret: a set cannot contain write-only attributes",
    ],
    [
      () => ofBlocks({ b: block.set({ attributes: { secret } }, { doc }) }),
      "s.b.secret: a set cannot",
    ],
  ],
  "write-only set of objects": [
    [
      () => bag({ a: optional(t.set(t.object({})), { doc, writeOnly: true }) }),
      "s.a: a set of objects cannot be write-only",
    ],
    [
      () => bag({ a: optional(t.list(t.set(t.object({}))), { doc, writeOnly: true }) }),
      "s.a: a set of objects cannot be write-only",
    ],
  ],
  "computed in a write-only object": [
    [
      () => bag({ a: optional(t.list(t.object({ b: made })), { doc, writeOnly: true }) }),
      "s.a: a write-only object cannot contain computed attributes",
    ],
  ],
  "member of a plain object": [
    [
      () => bag({ a: optional(t.plainObject({ b: made }), { doc }) }),
      "s.a: the members of a plain object must be required or optional",
    ],
    [
      () => bag({ a: computed(t.list(t.plainObject({ b: text })), { doc }) }),
      "s.a: the members of a plain object must be required or optional (or computed, if the object is computed)",
    ],
    [
      () => bag({ a: optional(t.map(t.plainObject({ b: secret })), { doc }) }),
      "s.a: the members of a plain object must be required or optional",
    ],
  ],
  "write-only replaces": [
    [
      () => bag({ a: optional(t.string(), { doc, writeOnly: true, requiresReplace: true }) }),
      "s.a: a write-only attribute cannot have requiresReplace",
    ],
  ],
  "write-only in a computed value": [
    [
      () => bag({ a: computed(t.object({ secret }), { doc }) }),
      "s.a: an object that the provider can set",
    ],
    [
      () => bag({ a: optionalComputed(t.map(t.object({ secret })), { doc }) }),
      "s.a: an object that",
    ],
  ],
  "place of timeouts": [
    [() => bag({ limits: timeouts({ create: 1 }) }), "s.limits: timeouts(…) has no effect here"],
    [
      () => bag({ a: optional(t.object({ timeouts: timeouts({ create: 1 }) }), { doc }) }),
      "s.a.timeouts: timeouts(…) has no effect here",
    ],
  ],
  "semantic equality of a block": [
    [
      () =>
        ofBlocks({
          b: block.list({ attributes: { text } }, { doc, semanticEquals: () => true }),
        }),
      "s.b: only blocks of a set",
    ],
  ],
  "semantic equality in a set": [
    [
      () => {
        return ofBlocks({ b: block.set({ attributes: { same } }, { doc }) });
      },
      "s.b.same: an attribute inside a set cannot have semanticEquals",
    ],
    [
      () => bag({ a: optional(t.set(t.object({ same })), { doc }) }),
      "s.a.same: an attribute inside",
    ],
  ],
  "computed without a state": [
    [
      () => action("s", { doc, attributes: { a: computed(t.string(), { doc }) } }),
      's.a: the attributes of a declaration of kind "action" must be required or optional',
    ],
    [
      () => listResource(listed, { doc, attributes: inList({ a: computed(t.string(), { doc }) }) }),
      "s.rows.a: the attributes",
    ],
    [
      () => provider("s", { doc, attributes: { a: optionalComputed(t.string(), { doc }) } }),
      "s.a: the",
    ],
    [
      () => providerMeta("s", { doc, attributes: { a: computed(t.string(), { doc }) } }),
      "s.a: the",
    ],
  ],
  default: [
    [
      () => bag({ a: { ...text, default: "d" } }),
      "s.a: only an optionalComputed attribute can have a default",
    ],
    [() => bag({ a: { ...computed(t.string(), { doc }), default: "d" } }), "s.a: only"],
  ],
  "type of a default": [
    [
      () => bag({ a: optionalComputed(t.integer(), { doc, default: 0.5 }) }),
      "s.a: the default does not have the attribute's type: it must be an integer (got 0.5)",
    ],
    [
      () => {
        const wrong: Attribute = { ...optionalComputed(t.list(t.string()), { doc }), default: [1] };
        return bag({ a: wrong });
      },
      "s.a: the default does not have the attribute's type: [0] must be a string",
    ],
  ],
  "never null": [
    [
      () => bag({ a: computed(t.dynamic(), { doc, neverNull: true }) }),
      "s.a: only a computed attribute",
    ],
    [() => bag({ a: { ...text, neverNull: true } }), "s.a: only a computed attribute"],
  ],
  "null in an element": [
    [
      () => bag({ a: optional(t.nullable(t.string()), { doc }) }),
      "s.a: only elements of a list, set or map",
    ],
  ],
  "number of blocks": [
    [
      () => ofBlocks({ b: block.list({ attributes: {} }, { doc, min: 2, max: 1 }) }),
      "s.b: min must be",
    ],
    [() => ofBlocks({ b: block.set({ attributes: {} }, { doc, min: -1 }) }), "s.b: min must be"],
    [() => ofBlocks({ b: block.set({ attributes: {} }, { doc, max: 0 }) }), "s.b: min must be"],
    [() => ofBlocks({ b: block.list({ attributes: {} }, { doc, max: 1.5 }) }), "s.b: min must be"],
    [() => ofBlocks({ b: block.single({ attributes: {} }, { doc, min: 2 }) }), "s.b: min must be"],
  ],
  "blocks in provider_meta": [
    [
      () =>
        providerMeta("s", {
          doc,
          attributes: {},
          blocks: { b: block.single({ attributes: {} }, { doc }) },
        }),
      "s.b: a provider_meta block cannot contain blocks",
    ],
  ],
  "presence in an identity": [
    [
      () => identity({ a: computed(t.string(), { doc }) }),
      "s.identity.a: declare it with requiredForImport or optionalForImport",
    ],
  ],
  "secret in an identity": [
    [
      () => identity({ a: required(t.string(), { doc, sensitive: true }) }),
      "s.identity.a: an identity is shown and stored, so it cannot contain secrets",
    ],
  ],
  "type in an identity": [
    t.map(t.string()),
    t.list(t.list(t.string())),
    t.dynamic(),
    t.set(t.bool()),
  ].map((type) => [
    () => identity({ a: required(type, { doc }) }),
    "s.identity.a: an identity contains strings, numbers, booleans and lists of them",
  ]),
};

const rows = Object.entries(refused).flatMap(([rule, cases]) =>
  cases.map(([declare, message], index) => ({ rule, index, declare, message })),
);

test.each(rows)("$rule, $index: $message", ({ declare, message }) => {
  const begins = new RegExp(`^${message.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}`);
  expect(declare).toThrow(begins);
});

test("an identity has attributes", () => {
  expect(() => identity({})).toThrow("s: the identity has no attributes");
});

test("all problems are in one error", () => {
  const declare = () =>
    bag({ count: text, "2fa": text }, { a: block.set({ attributes: { any } }, { doc }) });
  expect(declare).toThrow(/^s\.count: .*\ns\.2fa: .*\ns\.a: .*$/);
});

test("what Terraform can use is accepted", () => {
  const counts = {
    attributes: { count: text, provider: text, any: optional(t.object({ any }), { doc }) },
  };
  expect(() => {
    bag({ any, one: optional(t.object({ any, count: text }), { doc }), _a1: text });
    bag(
      {},
      { b: block.single(counts, { doc, min: 1 }), alias: block.list({ attributes: {} }, { doc }) },
    );
    provider("s-t", { doc, attributes: named("connection") });
    providerMeta("s", { doc, attributes: named("count") });
    identity({ count: requiredForImport(t.list(t.string()), { doc }) });
    optionalComputed(t.decimal(), { doc, default: "0.1" });
    resource("Ärger-2_x", { doc, attributes: {}, version: 3 });
  }).not.toThrow();
});
