import * as z from "zod/mini";
import {
  block,
  check,
  checkValue,
  computed,
  didYouMean,
  type Fields,
  formatPath,
  optional,
  required,
  rule,
  t,
  UNKNOWN,
} from "../../../src/core/schema";
import { wireNames } from "../../../src/core/schema/attribute";
import { kitchen } from "./kitchen";

const isUnknown = (value: unknown): boolean => value === UNKNOWN;

const valid = { kitchenName: "main", window: [{}], sink: {} };

/** `CODE path`, with a question mark after the code of a warning. */
const found = (values: object, fields: Fields = kitchen): string[] =>
  check(fields, { ...values }, isUnknown).map(
    ({ code, severity, path }) => `${code}${severity === "warning" ? "?" : ""} ${formatPath(path)}`,
  );

const inKitchen = (values: object): string[] => found({ ...valid, ...values });

const messages = (values: object, fields: Fields = kitchen): string[] =>
  check(fields, { ...values }, isUnknown).map(({ message }) => message);

test("accepts valid values, with null for absent ones", () => {
  expect(inKitchen({})).toEqual([]);
  expect(inKitchen({ style: null, guests: undefined, spices: null, oven: null })).toEqual([]);
});

test.each<[string, object, string[]]>([
  ["a required value that is absent", { kitchenName: null }, ["MISSING kitchenName"]],
  ["a text that breaks a rule", { kitchenName: "Main" }, ["INVALID_ARGUMENT kitchenName"]],
  ["a value that is not in the enum", { style: "modern" }, ["INVALID_ARGUMENT style"]],
  ["a text that is a number", { style: 1 }, ["WRONG_TYPE style"]],
  ["NaN", { area: Number.NaN }, ["WRONG_TYPE area"]],
  ["a number that a double cannot hold", { area: 2n ** 64n }, ["WRONG_TYPE area"]],
  ["a decimal with too many digits", { rent: `0.${"9".repeat(155)}` }, ["WRONG_TYPE rent"]],
  ["a number for a decimal", { rent: 1 }, ["WRONG_TYPE rent"]],
  ["a decimal that is not a number", { rent: "1e3" }, ["WRONG_TYPE rent"]],
  ["a small integer for a 64-bit integer", { meter: 1 }, ["WRONG_TYPE meter"]],
  ["an integer of more than 64 bits", { meter: 2n ** 63n }, ["WRONG_TYPE meter"]],
  ["a fraction for an integer", { serial: 1.5, style: "old" }, ["WRONG_TYPE serial"]],
  ["a text for a truth value", { lit: "true" }, ["WRONG_TYPE lit"]],
  ["an object for a list", { guests: {} }, ["WRONG_TYPE guests"]],
  ["an array for a map", { labels: [] }, ["WRONG_TYPE labels"]],
  ["an array for an object", { oven: [] }, ["WRONG_TYPE oven"]],
  ["null in a list", { guests: ["a", null] }, ["WRONG_TYPE guests[1]"]],
  ["a wrong element of a set", { tags: ["a", 1, 2] }, ["WRONG_TYPE tags[1]", "WRONG_TYPE tags[2]"]],
  ["a wrong value of a map", { labels: { "a b": 1 } }, ['WRONG_TYPE labels["a b"]']],
  ["too many elements", { guests: ["a", "b", "c"] }, ["INVALID_ARGUMENT guests"]],
  [
    "nested attributes",
    { oven: { heat: 1 } },
    ["MISSING oven.maxHeat", "UNKNOWN_PROPERTY oven.heat"],
  ],
  ["nested lists", { shelves: [{ width: 1 }, {}] }, ["MISSING shelves[1].width"]],
  ["nested maps", { drawers: { top: { content: 1 } } }, ["WRONG_TYPE drawers.top.content"]],
  ["a given output", { kitchenId: "x" }, ["UNKNOWN_PROPERTY kitchenId"]],
  ["a given nested output", { oven: { maxHeat: 1, warmth: 2 } }, ["UNKNOWN_PROPERTY oven.warmth"]],
  ["a property that is not declared", { colour: "red" }, ["UNKNOWN_PROPERTY colour"]],
  ["a property that every object has", { constructor: 1 }, ["UNKNOWN_PROPERTY constructor"]],
  ["a missing companion", { serial: 1 }, ["REQUIRES serial"]],
  ["what is deprecated", { gas: false }, ["DEPRECATED? gas"]],
  ["a required block that is missing", { sink: null }, ["MISSING sink"]],
  ["too few blocks", { window: [] }, ["MISSING window"]],
  ["too many blocks", { window: [{}, {}, {}] }, ["INVALID_ARGUMENT window"]],
  [
    "a block that is not an object",
    { sink: 1, window: ["x"] },
    ["WRONG_TYPE window[0]", "WRONG_TYPE sink"],
  ],
  ["an array for a single block", { sink: [{}] }, ["WRONG_TYPE sink"]],
  ["blocks that are no array", { spices: { name: "a" } }, ["WRONG_TYPE spices"]],
  [
    "a rule inside a block",
    { window: [{ openWide: true, tilted: false }] },
    ["CONFLICT window[0].tilted"],
  ],
  [
    "a block in a block",
    { window: [{ curtain: {} }] },
    ["DEPRECATED? window[0].curtain", "MISSING window[0].curtain.colour"],
  ],
  ["an invalid timeout", { timeouts: { create: "soon" } }, ["INVALID_ARGUMENT timeouts.create"]],
])("finds %s", (_name, values, expected) => {
  expect(inKitchen(values)).toEqual(expected);
});

test("writes the names of replacements as the reader does", () => {
  const values = { ...valid, gas: true, window: [{ curtain: { colour: "red" } }] };
  expect(messages(values)).toEqual([
    "is deprecated; use `kitchenName`",
    "is deprecated; use `openWide`",
  ]);
  const inTerraform = check(kitchen, values, isUnknown, wireNames);
  expect(inTerraform.map(({ message }) => message)).toEqual([
    "is deprecated; use `kitchen_name`",
    "is deprecated; use `open_wide`",
  ]);
});

test("reports all findings at once", () => {
  expect(found({ kitchenName: "1", style: "x", window: [{}, { openWide: 1 }], sink: {} })).toEqual([
    "INVALID_ARGUMENT kitchenName",
    "INVALID_ARGUMENT style",
    "WRONG_TYPE window[1].openWide",
  ]);
});

test.each<[string, object]>([
  ["attribute", { kitchenName: UNKNOWN, style: UNKNOWN, oven: UNKNOWN, gas: UNKNOWN }],
  ["element", { guests: ["a", UNKNOWN, "b"], labels: { a: UNKNOWN }, shelves: [UNKNOWN] }],
  ["nested attribute", { oven: { maxHeat: UNKNOWN } }],
  ["block", { window: UNKNOWN, sink: UNKNOWN, spices: [UNKNOWN] }],
  ["companion", { serial: 1, style: UNKNOWN }],
  ["nested input of a rule", { window: [{ openWide: true, tilted: UNKNOWN }] }],
])("accepts an unknown %s", (_name, values) => {
  expect(inKitchen(values)).toEqual([]);
});

test("skips the rule of a collection while anything inside is unknown, however deep", () => {
  const never = rule("must be nothing", (zod) =>
    zod.unknown().check(zod.refine(() => false, "no")),
  );
  const type = t.list(t.list(t.string()), never);
  expect(checkValue(type, [["a", UNKNOWN]], isUnknown)).toEqual([]);
  expect(checkValue(type, [["a"]], isUnknown)).toHaveLength(1);
});

test("reports the rule and the value", () => {
  expect(messages({ ...valid, kitchenName: "Main", style: "x", guests: ["a", 7] })).toEqual([
    'must start with a lowercase letter (got "Main")',
    'must be one of "old", "new" (got "x")',
    "must be a string (got 7)",
  ]);
  expect(messages({ ...valid, window: [{}, {}, {}] })).toEqual(["allows at most 2 blocks (got 3)"]);
  expect(messages({ ...valid, area: 1n })).toEqual([
    'must be a 64-bit number of at most 1.8e308 (got "1")',
  ]);
});

test("truncates long values", () => {
  const [message = ""] = messages({ ...valid, kitchenName: "A".repeat(1000) });
  expect(message.length).toBeLessThan(160);
});

test("suggests nothing that has no letter in common", () => {
  expect(didYouMean("x", ["on", "off"])).toBe("");
  expect(didYouMean("onn", ["on", "off"])).toBe('; did you mean "on"?');
});

test("suggests a similar property, but never an output", () => {
  expect(messages({ ...valid, kichenName: "x" })).toEqual([
    'is not a property; did you mean "kitchenName"?',
  ]);
  expect(messages({ ...valid, kitchen_name: "x" })).toEqual([
    'is not a property; did you mean "kitchenName"?',
  ]);
  expect(messages({ ...valid, kitchenIds: "x", zzzzzz: 1 })).toEqual([
    "is not a property",
    "is not a property",
  ]);
});

test("shows no sensitive value, neither inside it nor around it", () => {
  const secret = "TOPSECRET";
  const vault = {
    attributes: {
      pin: optional(t.list(t.string()), { doc: "Pin.", sensitive: true }),
      keys: optional(t.object({ key: required(t.oneOf(["a"]), { doc: "Key." }) }), {
        doc: "Keys.",
        sensitive: true,
      }),
      doors: optional(
        t.list(t.object({ code: optional(t.string(), { doc: "Code.", sensitive: true }) })),
        {
          doc: "Doors.",
        },
      ),
    },
    blocks: {
      safe: block.list(
        { attributes: { code: optional(t.string(), { doc: "Code.", sensitive: true }) } },
        { doc: "Safe." },
      ),
    },
  };
  const values = {
    pin: [secret, { secret }],
    keys: { key: secret },
    doors: { code: secret },
    safe: { code: secret },
  };
  const findings = check(vault, values, isUnknown);
  expect(findings).toHaveLength(4);
  expect(JSON.stringify(findings)).not.toContain(secret);
  expect(
    messages({ ...valid, pinCode: secret, oven: { maxHeat: 1, key: secret } }).join(),
  ).not.toContain(secret);
});

describe("a zod issue", () => {
  const record = rule("must be tidy", (zod) =>
    zod.record(
      zod.string().check(zod.regex(/^[a-z]+$/, "key must be lowercase")),
      zod.string().check(zod.maxLength(2, "value must be short")),
    ),
  );
  const type = t.map(t.string(), record);

  test("is at the key or the value that causes it", () => {
    expect(checkValue(type, { A: "x", b: "long" }, isUnknown)).toEqual([
      expect.objectContaining({ path: ["A"], message: 'key must be lowercase (got "A")' }),
      expect.objectContaining({ path: ["b"], message: 'value must be short (got "long")' }),
    ]);
  });

  test("comes from schemas of any zod version", () => {
    const own = rule("must be tidy", () => z.string().check(z.minLength(3, "must be longer")), {
      warning: "name-short",
    });
    const foreign = rule("must be even", () => ({
      safeParse: (value: unknown) =>
        value === 2
          ? { success: true }
          : {
              success: false,
              error: { issues: [{ path: [Symbol("x")], message: "must be two" }] },
            },
    }));
    expect(checkValue(t.string(own), "ab", isUnknown)).toEqual([
      {
        code: "ADVICE",
        severity: "warning",
        warning: "name-short",
        path: [],
        message: 'must be longer (got "ab")',
      },
    ]);
    expect(checkValue(t.number(foreign), 2, isUnknown)).toEqual([]);
    expect(checkValue(t.number(foreign), 3, isUnknown)).toEqual([
      expect.objectContaining({ path: [], message: "must be two (got 3)" }),
    ]);
  });

  test("does not change the value, and the schema is built once", () => {
    let built = 0;
    const counted = rule("must be a text", (zod) => {
      built++;
      return zod.string();
    });
    const values = Object.freeze({ a: Object.freeze(["x", "y"]) });
    const fields = { attributes: { a: optional(t.list(t.string(counted)), { doc: "A." }) } };
    expect(check(fields, values, isUnknown)).toEqual([]);
    expect(built).toBe(1);
  });
});

test("rules use the caller's labels, also inside blocks", () => {
  const labelled = check(
    kitchen,
    { ...valid, serial: 1, window: [{ openWide: true, tilted: true }] },
    isUnknown,
    (fields) => (name) => `${Object.keys(fields.attributes).length}:${name}`,
  );
  expect(labelled.map(({ message }) => message)).toEqual([
    "cannot be combined with `3:openWide`: at most one of `3:openWide`, `3:tilted` can be set",
    "needs `18:style` (`18:style` is missing)",
  ]);
});

test("an output that is null is not an input", () => {
  const fields = { attributes: { id: computed(t.string(), { doc: "ID." }) } };
  expect(found({ id: null }, fields)).toEqual([]);
});

test("a block that occurs at most once is written as one element, or as an array", () => {
  const light = block.set(
    { attributes: { watts: required(t.integer(), { doc: "Power." }) } },
    { doc: "The light.", max: 1 },
  );
  const run = (value: unknown) =>
    check({ attributes: {}, blocks: { light } }, { light: value }, () => false).map(
      ({ code, path }) => [code, ...path],
    );
  expect(run({ watts: 40 })).toEqual([]);
  expect(run([{ watts: 40 }])).toEqual([]);
  expect(run({ watts: "40" })).toEqual([["WRONG_TYPE", "light", "watts"]]);
  expect(run([{ watts: "40" }])).toEqual([["WRONG_TYPE", "light", 0, "watts"]]);
  expect(run([{ watts: 1 }, { watts: 2 }])).toEqual([["INVALID_ARGUMENT", "light"]]);
});
