import {
  advise,
  atLeastOneOf,
  block,
  check,
  conflicts,
  durationRule,
  exactlyOneOf,
  excludes,
  optional,
  parseDuration,
  requires,
  type ResourceRule,
  rule,
  t,
  stringRule,
  uniqueIn,
  UNKNOWN,
  checkValue,
} from "../../../src/core/schema";
import { formatDuration } from "../../../src/core/schema/duration";
import { wireName, wireNames } from "../../../src/core/schema/attribute";

const isUnknown = (value: unknown): boolean => value === UNKNOWN;

const text = optional(t.string(), { doc: "A string." });
const attributes = { a: text, b: text, c: text, list: optional(t.list(t.string()), { doc: "." }) };

const run = (rule: ResourceRule<"a" | "b" | "c" | "list">, values: object) =>
  check({ attributes, rules: [rule] }, { ...values }, isUnknown).map(
    ({ code, severity, path, message }) => ({ code, severity, path: path.join(), message }),
  );

describe("exactlyOneOf", () => {
  const one = exactlyOneOf("a", "b", "list");

  test("blames the first attribute when none is set", () => {
    expect(run(one, { a: null, list: [] })).toEqual([
      {
        code: "CONFLICT",
        severity: "error",
        path: "a",
        message: "needs exactly one of `a`, `b`, `list`",
      },
    ]);
  });

  test("blames the last one that is set when several are", () => {
    expect(run(one, { a: "", list: ["x"] })).toEqual([
      expect.objectContaining({
        path: "list",
        message: "cannot be combined with `a`: exactly one of `a`, `b`, `list` must be set",
      }),
    ]);
  });

  test("accepts exactly one, and is skipped while one is unknown", () => {
    expect(run(one, { b: "x" })).toEqual([]);
    expect(run(one, { a: UNKNOWN, b: "x", list: ["y"] })).toEqual([]);
  });
});

describe("atLeastOneOf", () => {
  const rule = atLeastOneOf("a", "b");

  test("blames the first attribute when none is set", () => {
    const missing = {
      code: "MISSING",
      severity: "error",
      path: "a",
      message: "needs at least one of `a`, `b`",
    };
    expect(run(rule, {})).toEqual([missing]);
    expect(run(rule, { a: "", b: null })).toEqual([missing]);
  });

  test("accepts one or more, and is skipped while one is unknown", () => {
    expect(run(rule, { b: "x" })).toEqual([]);
    expect(run(rule, { a: "x", b: "x" })).toEqual([]);
    expect(run(rule, { a: UNKNOWN })).toEqual([]);
  });
});

describe("excludes", () => {
  const flag = optional(t.bool(), { doc: "A flag." });
  const run = (values: object) =>
    check(
      { attributes: { ...attributes, flag }, rules: [excludes("a", "b", "flag")] },
      { ...values },
      isUnknown,
    );

  test("blames the attribute that excludes, and lists all that are set", () => {
    expect(run({ a: "x", b: "y", flag: true })).toEqual([
      {
        code: "CONFLICT",
        severity: "error",
        path: ["a"],
        message: "cannot be combined with `b`, `flag` (`b`, `flag` are set)",
      },
    ]);
  });

  test("treats false and the empty string as not set", () => {
    expect(run({ a: "x", b: "", flag: false })).toEqual([]);
    expect(run({ a: "", b: "y" })).toEqual([]);
  });

  test("accepts the others together, and is skipped while one is unknown", () => {
    expect(run({ b: "y", flag: true })).toEqual([]);
    expect(run({ a: "x", b: UNKNOWN, flag: true })).toEqual([]);
  });
});

describe("uniqueIn", () => {
  const items = block.list(
    { attributes: { key: optional(t.string(), { doc: "Its key." }) } },
    { doc: "Items." },
  );
  const run = (keys: readonly unknown[]) =>
    check(
      { attributes, blocks: { items }, rules: [uniqueIn("items", "key")] },
      { items: keys.map((key) => ({ key })) },
      isUnknown,
    ).map(({ path, message }) => [path.join("."), message]);

  test("blames every repetition of a value", () => {
    expect(run(["x", "y", "x", "x"])).toEqual([
      ["items.2.key", 'must differ from that of element 0 (got "x")'],
      ["items.3.key", 'must differ from that of element 0 (got "x")'],
    ]);
  });

  test("does not show a sensitive value", () => {
    const secret = block.list(
      { attributes: { key: optional(t.string(), { doc: "Its key.", sensitive: true }) } },
      { doc: "Items." },
    );
    const fields = { attributes, blocks: { items: secret }, rules: [uniqueIn("items", "key")] };
    const [found] = check(fields, { items: [{ key: "x" }, { key: "x" }] }, isUnknown);
    expect(found?.message).toBe("must differ from that of element 0");
  });

  test("is documented with the names as its readers write them", () => {
    const { doc } = uniqueIn("shelfItems", "itemKey");
    expect(doc(wireName)).toBe("each `item_key` of `shelf_items` must be unique");
  });

  test("treats neither absent nor unknown values as equal", () => {
    expect(run([UNKNOWN, UNKNOWN, null, null, "x"])).toEqual([]);
  });
});

test("conflicts accepts none or one", () => {
  const rule = conflicts("a", "b", "c");
  expect(run(rule, {})).toEqual([]);
  expect(run(rule, { b: "x" })).toEqual([]);
  expect(run(rule, { a: "x", b: UNKNOWN, c: "y" })).toEqual([]);
  expect(run(rule, { a: "x", c: "y" })).toEqual([
    {
      code: "CONFLICT",
      severity: "error",
      path: "c",
      message: "cannot be combined with `a`: at most one of `a`, `b`, `c` can be set",
    },
  ]);
});

test("requires lists missing attributes", () => {
  const rule = requires("a", "b", "list");
  expect(run(rule, { b: "x" })).toEqual([]);
  expect(run(rule, { a: "x", b: "y", list: ["z"] })).toEqual([]);
  expect(run(rule, { a: "x", b: UNKNOWN })).toEqual([]);
  expect(run(rule, { a: "x", b: "y" })).toEqual([
    {
      code: "REQUIRES",
      severity: "error",
      path: "a",
      message: "needs `b`, `list` (`list` is missing)",
    },
  ]);
});

test("advise is a warning, skipped while a value that it reads is unknown", () => {
  const rule = advise({
    code: "a-is-b",
    name: "a",
    reads: ["b"],
    doc: "should differ from b",
    when: ({ a, b }) => a === b,
  });
  expect(rule.warning).toBe("a-is-b");
  expect(run(rule, { a: "x", b: UNKNOWN })).toEqual([]);
  expect(run(rule, { a: UNKNOWN, b: UNKNOWN })).toEqual([]);
  expect(run(rule, { a: "x", b: "y" })).toEqual([]);
  expect(run(rule, { a: "x", b: "x" })).toEqual([
    { code: "ADVICE", severity: "warning", path: "a", message: "should differ from b" },
  ]);
});

test("advice names other attributes as the reader writes them", () => {
  const rules = [
    advise({
      code: "size-too-large",
      name: "size",
      doc: (label) => `should be below \`${label("maxSize")}\``,
      when: () => true,
    }),
  ];
  const fields = { attributes: { size: text, maxSize: text }, rules };
  const found = [check(fields, {}, isUnknown), check(fields, {}, isUnknown, wireNames)];
  expect(found.flat().map(({ message }) => message)).toEqual([
    "should be below `maxSize`",
    "should be below `max_size`",
  ]);
  expect(rules[0]?.doc(wireNames(fields))).toBe("should be below `max_size`");
});

test("reports the first row that a string does not match", () => {
  const type = t.string(
    stringRule([
      [/^a/, "must begin with a"],
      [/b/, "must contain b"],
      [/c$/, "must end with c"],
    ]),
  );
  const messagesOf = (value: string): string[] =>
    checkValue(type, value, isUnknown).map(({ message }) => message);
  expect(messagesOf("abc")).toEqual([]);
  expect(messagesOf("x")).toEqual(['must begin with a (got "x")']);
  expect(messagesOf("ax")).toEqual(['must contain b (got "ax")']);
  expect(messagesOf("abx")).toEqual(['must end with c (got "abx")']);
});

test("rules document themselves for the reference page", () => {
  expect(conflicts("a", "b").doc((name) => name.toUpperCase())).toBe(
    "at most one of `A`, `B` can be set",
  );
  expect(stringRule([[/a/, "one"], [/b/, "two"]]).doc).toEqual(["one", "two"]); // prettier-ignore
  expect(rule("alone", (z) => z.string())).toMatchObject({
    code: "INVALID_ARGUMENT",
    severity: "error",
    doc: ["alone"],
  });
});

describe("durations", () => {
  test.each([
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    [".5s", 500],
    ["250ms", 250],
    ["1us", 0.001],
    ["1µs", 0.001],
    ["1μs", 0.001],
    ["10ns", 0.00001],
    ["1m1m", 120_000],
  ])("%s are %d ms", (text, ms) => {
    expect(parseDuration(text)).toBeCloseTo(ms, 9);
  });

  test.each([
    "",
    "0",
    "0s",
    "5",
    "s",
    "-1s",
    "+1s",
    "1 s",
    "1s ",
    "1d",
    "1S",
    "1.2.3s",
    ".s",
    "1s5",
    `${"9".repeat(400)}h`,
  ])("%j is not a duration", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test("the rule shows what a duration looks like", () => {
    expect(checkValue(t.string(durationRule), "90", isUnknown)).toEqual([
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: 'must be a duration longer than zero, such as "90s" or "1h30m" (got "90")',
      }),
    ]);
    expect(checkValue(t.string(durationRule), "1h30m", isUnknown)).toEqual([]);
  });

  test("are formatted with units", () => {
    expect([5_400_000, 60_000, 1, 61_002].map(formatDuration)).toEqual([
      "1 hour 30 minutes",
      "1 minute",
      "1 millisecond",
      "1 minute 1 second 2 milliseconds",
    ]);
  });
});
