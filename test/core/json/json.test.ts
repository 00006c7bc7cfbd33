import fc from "fast-check";
import { goJson, goList, goStruct } from "../../../src/core/json/exact-json";
import {
  parseJson,
  readJsonObject,
  JsonFields,
  fromBase64,
} from "../../../src/core/json/parse-json";
import { isJsonError } from "../../../src/core/json/read-json";
import type { JsonValue } from "../../../src/core/json/plain-json";

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return isJsonError(error) ? error.code : error;
  }
  return "no error";
}

describe("parsing external JSON", () => {
  test.each([
    ['{"a":1,"a":2}', "DUPLICATE_NAME"],
    ['{"a":1,"\\u0061":2}', "DUPLICATE_NAME"],
    ['{"x":[{"b":1,"b":1}]}', "DUPLICATE_NAME"],
    ['{"__proto__":{}}', "FORBIDDEN_NAME"],
    ['{"\\u005f_proto__":{}}', "FORBIDDEN_NAME"],
    ["{} {}", "TRAILING_TEXT"],
    ["1 x", "TRAILING_TEXT"],
    ['"\\ud800"', "LONE_SURROGATE"],
    ['"\ud800"', "LONE_SURROGATE"],
    ["1e400", "NUMBER_RANGE"],
    ["[".repeat(300) + "]".repeat(300), "TOO_DEEP"],
    ["", "SYNTAX"],
    ["\ufeff{}", "SYNTAX"],
    ["[1,]", "SYNTAX"],
    ["{,}", "SYNTAX"],
    ["{'a':1}", "SYNTAX"],
    ["01", "TRAILING_TEXT"],
    ["+1", "SYNTAX"],
    ["1.", "TRAILING_TEXT"],
    ["NaN", "SYNTAX"],
    ["nul", "SYNTAX"],
    ['"a\nb"', "SYNTAX"],
    ['"\\x"', "SYNTAX"],
    ['"a', "SYNTAX"],
    ["[1", "SYNTAX"],
    ["\u00a01", "SYNTAX"],
  ])("refuses %j", (text, code) => {
    expect(codeOf(() => parseJson(text))).toBe(code);
  });

  test("refuses bytes that are not UTF-8", () => {
    expect(codeOf(() => parseJson(Buffer.from([0x22, 0xff, 0x22])))).toBe("SYNTAX");
  });

  test("returns objects that inherit nothing", () => {
    const value = parseJson('{"constructor":1,"toString":{"a":[]}}') as object;
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect("hasOwnProperty" in value).toBe(false);
  });

  test("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (text, indent) => {
        fc.pre(!text.includes("__proto__"));
        const expected: unknown = JSON.parse(text);
        expect(parseJson(JSON.stringify(expected, null, indent))).toEqual(expected);
      }),
    );
  });

  test("refuses everything that JSON.parse refuses", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (text, place, added) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + added + text.slice(at + 1);
        let isJson = true;
        try {
          JSON.parse(changed);
        } catch {
          isJson = false;
        }
        if (!isJson) expect(codeOf(() => parseJson(changed))).toMatch(/^[A-Z_]+$/);
      }),
    );
  });
});

describe("writing JSON as Go does", () => {
  test.each<[JsonValue, string]>([
    ["<a href='x'>&</a>", String.raw`"\u003ca href='x'\u003e\u0026\u003c/a\u003e"`],
    ["\u2028\u2029", String.raw`"\u2028\u2029"`],
    ['\b\f\n\r\t"\\/\u0000\u001f\u007f', String.raw`"\b\f\n\r\t\"\\/\u0000\u001f` + '\u007f"'],
    ["é😀", '"é😀"'],
    ["\ud800a\udc00😀\ud83d", String.raw`"\ufffda\ufffd😀\ufffd"`],
    [2 ** 53, "9007199254740992"],
    [1e21, "1e+21"],
    [1e20, "100000000000000000000"],
    [1e-7, "1e-7"],
    [0.000001, "0.000001"],
    [-0, "-0"],
    [1.0, "1"],
    [{ b: 1, a: [true, null, { d: 1, c: 2 }] }, '{"a":[true,null,{"c":2,"d":1}],"b":1}'],
    [{ 9: 1, 10: 2, A: 3, a: 4 }, '{"10":2,"9":1,"A":3,"a":4}'],
    // U+FF5E comes before U+1F600 in UTF-8, and after it in UTF-16.
    [{ "\u{1f600}": 1, "\uff5e": 2 }, '{"\uff5e":2,"\u{1f600}":1}'],
    [{}, "{}"],
    [[], "[]"],
  ])("%j", (value, text) => {
    expect(goJson(value)).toBe(text);
  });

  test("writes numbers as doubles", () => {
    expect(goJson(parseJson("[9007199254740993,1E3,0.10]"))).toBe("[9007199254740992,1000,0.1]");
  });

  test("keeps the order of structs, and leaves out what is undefined", () => {
    const inner = goStruct({ z: 1, a: { y: 1, x: 2 } });
    expect(goStruct({ b: inner, a: undefined, list: goList([inner]) }).text).toBe(
      '{"b":{"z":1,"a":{"x":2,"y":1}},"list":[{"z":1,"a":{"x":2,"y":1}}]}',
    );
  });

  test("preserves the parsed value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const read = parseJson(JSON.stringify(value));
        expect(parseJson(goJson(read))).toEqual(read);
      }),
    );
  });
});

describe("members with types", () => {
  const fields = JsonFields.of(
    parseJson('{"text":"a","number":1,"big":"12","zero":null,"bytes":"AQI=","sloppy":"AQJ="}'),
    "thing",
  );

  test("are read, or refused with their path", () => {
    expect(fields.string("text")).toBe("a");
    expect(fields.integer("number")).toBe(1);
    expect(fields.int64("big")).toBe(12);
    expect(fields.int64("zero")).toBe(0);
    expect(fields.base64("bytes")).toEqual(Buffer.of(1, 2));
    expect(() => fields.string("number")).toThrow("thing.number must be a string");
    expect(() => fields.fields("text")).toThrow("thing.text must be a JSON object");
    expect(codeOf(() => fields.integer("big"))).toBe("SHAPE");
  });

  test("are refused if the format does not define them", () => {
    expect(() => JsonFields.of({ a: 1, b: 2 }, "thing", ["a"])).toThrow(
      'thing has an unknown member "b"',
    );
  });

  test("are base64 in only one form", () => {
    expect(() => fields.base64("sloppy")).toThrow("thing.sloppy must be base64");
    expect(fromBase64("AQ")).toBeUndefined();
    expect(fromBase64("-_-_")).toBeUndefined();
  });
});

describe("an answer that may be no JSON object", () => {
  it.each([
    ["an object", '{"a":[1]}', { a: [1] }],
    ["a list", "[1]", undefined],
    ["a page", "<html>", undefined],
    ["a repeated name", '{"a":1,"a":2}', undefined],
    ["99 levels in an object", `{"a":${"[".repeat(99)}${"]".repeat(99)}}`, expect.anything()],
    ["100 levels in an object", `{"a":${"[".repeat(100)}${"]".repeat(100)}}`, undefined],
  ])("%s", (_name, text, expected) => {
    const read = readJsonObject(text);
    if (expected === undefined) expect(read).toBeUndefined();
    else expect(read).toEqual(expected);
  });

  it("has a limit of values", () => {
    expect(readJsonObject('{"a":[1,2]}', { valuesMax: 3 })).toBeUndefined();
  });
});
