import * as fc from "fast-check";
import { isJsonError, jsonError, readJson, type JsonForm } from "../../../src/core/json/read-json";

/** The values of `JSON.parse`, with limits that a test can reach. */
const form: JsonForm<unknown, Record<string, unknown>> = {
  depthMax: 4,
  lengthMax: 20 * 1024 * 1024,
  plain: (value) => value,
  number: Number,
  members: () => ({}),
  add: (members, name, value) => {
    if (name === "__proto__") return "FORBIDDEN_NAME";
    if (Object.hasOwn(members, name)) return "DUPLICATE_NAME";
    members[name] = value;
    return undefined;
  },
};

function refusal(text: string | Uint8Array, limits: Partial<typeof form> = {}): unknown {
  try {
    return { read: readJson(text, { ...form, ...limits }) };
  } catch (error) {
    if (!isJsonError(error)) throw error;
    return [error.code, error.at, error.message];
  }
}

describe("what is refused, and where", () => {
  test.each([
    ["", "SYNTAX", 0, "not JSON: unexpected end"],
    ["  ", "SYNTAX", 2, "not JSON: unexpected end"],
    ['{"a":', "SYNTAX", 5, "not JSON: unexpected end"],
    ['["a', "SYNTAX", 3, "not JSON: unexpected end"],
    ['["a\\"', "SYNTAX", 5, "not JSON: unexpected end"],
    ['["a\\\\" b]', "SYNTAX", 7, "not JSON: unexpected character at 7"],
    ["[1,]", "SYNTAX", 3, "not JSON: unexpected character at 3"],
    ["[1 2]", "SYNTAX", 3, "not JSON: unexpected character at 3"],
    ["{,}", "SYNTAX", 1, "not JSON: unexpected character at 1"],
    ['{"a":1,}', "SYNTAX", 7, "not JSON: unexpected character at 7"],
    ['{"a" 1}', "SYNTAX", 5, "not JSON: unexpected character at 5"],
    ["[tru]", "SYNTAX", 1, "not JSON: unexpected character at 1"],
    ['["\n"]', "SYNTAX", 1, "not JSON: unexpected character at 1"],
    ['["\\x"]', "SYNTAX", 1, "not JSON: unexpected character at 1"],
    ['["\\n\n"]', "SYNTAX", 1, "not JSON: unexpected character at 1"],
    ["\ufeff1", "SYNTAX", 0, "not JSON: unexpected character at 0"],
    ["1 x", "TRAILING_TEXT", 2, "unexpected text after the value at character 2"],
    ['["\\ud83d"]', "LONE_SURROGATE", 1, "lone surrogate at character 1"],
    ['{"a\udc00":1}', "LONE_SURROGATE", 1, "lone surrogate at character 1"],
    ['{"a":1, "\\u0061":2}', "DUPLICATE_NAME", 8, "duplicate name at character 8"],
    ['{"__proto__":1}', "FORBIDDEN_NAME", 1, "forbidden name __proto__ at character 1"],
    ['[{"a":[[[1]]]}]', "TOO_DEEP", 8, "more than 4 levels of nesting"],
  ])("%j", (text, code, at, message) => {
    expect(refusal(text)).toEqual([code, at, message]);
  });

  test("bytes that are not UTF-8", () => {
    expect(refusal(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(["SYNTAX", 0, "not UTF-8"]);
  });

  test("what is too long, or has too many values", () => {
    expect(refusal("[1234]", { lengthMax: 6 })).toEqual({ read: [1234] });
    expect(refusal("[1234] ", { lengthMax: 6 })).toEqual(["TOO_LONG", 0, "more than 6 characters"]);
    expect(refusal('[1,{"a":2}]', { valuesMax: 4 })).toEqual({ read: [1, { a: 2 }] });
    expect(refusal('[1,{"a":2}]', { valuesMax: 3 })).toEqual(["TOO_LONG", 8, "more than 3 values"]);
  });

  test("levels are counted by depth, not in total", () => {
    expect(refusal("[[[[]]], [[[1]], {}]]")).toEqual({ read: [[[[]]], [[[1]], {}]] });
  });

  test("refuses a number that the options exclude", () => {
    const number = (digits: string, at: number): never => {
      throw jsonError("NUMBER_RANGE", digits, { at });
    };
    expect(refusal("[ -1.50e+3]", { number })).toEqual(["NUMBER_RANGE", 2, "-1.50e+3"]);
  });
});

const deep = { ...form, depthMax: 1000 };

test("reads what JSON.parse reads", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "grapheme" }), fc.nat(4), (json, indent) => {
      fc.pre(!json.includes("__proto__"));
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      expect(readJson(text, deep)).toEqual(JSON.parse(text));
      expect(readJson(Buffer.from(text), deep)).toEqual(JSON.parse(text));
    }),
  );
});

test("refuses what JSON.parse refuses", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, place, added) => {
      const at = place % (json.length + 1);
      const text = json.slice(0, at) + added + json.slice(at + 1);
      try {
        JSON.parse(text);
      } catch {
        expect(refusal(text, deep)).toBeInstanceOf(Array);
      }
    }),
  );
});

describe("a large document", () => {
  const million = 1024 * 1024;

  test.each<readonly [string, string]>([
    ["of 16 MiB with one escape", `"${"x".repeat(16 * million)}\\n"`],
    ["of 16 MiB without any", `"${"x".repeat(16 * million)}é"`],
    ["of escapes", `"${"\\n".repeat(8 * million)}"`],
    ["of backslashes", `"${"\\\\".repeat(8 * million)}"`],
    ["of quotes", `"${'\\"'.repeat(8 * million)}"`],
    ["of spaces", `${" ".repeat(16 * million)}1`],
    ["of digits", `0.${"1".repeat(million)}`],
    ["of items", `[${"1,".repeat(million)}1]`],
  ])("%s is read", (_, text) => {
    const isSame = JSON.stringify(readJson(text, form)) === JSON.stringify(JSON.parse(text));
    expect(isSame).toBe(true);
  });

  test.each(["[", '{"a":', '"', '"\\', "-", "1e", "\\"])("of only %j is refused", (piece) => {
    const text = piece.repeat(million);
    expect(refusal(text)).toBeInstanceOf(Array);
  });
});
