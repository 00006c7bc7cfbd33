import * as fc from "fast-check";
import { compile } from "../../../../src/core/provider-kit/cty/codec";
import { Decimal } from "../../../../src/core/provider-kit/cty/number";
import { equal } from "../../../../src/core/provider-kit/cty/equal";
import { decodeJson, parseExactJson } from "../../../../src/core/provider-kit/cty/json-decode";
import { encodeJson } from "../../../../src/core/provider-kit/cty/json-encode";
import { type CtyType, typeFromJson } from "../../../../src/core/provider-kit/cty/type";
import { type CtyValue, DynamicValue } from "../../../../src/core/provider-kit/cty/value";
import { UNKNOWN } from "../../../../src/core/schema/type";
import { anyType, valueOf } from "./arbitrary";
import { vectors } from "./vectors";

const endpoint: CtyType = {
  object: [
    { wire: "endpoint_id", name: "endpointId", type: "string" },
    { wire: "size", name: "size", type: "number" },
    { wire: "is_on", name: "isOn", type: "bool" },
  ],
};

describe("JSON that Terraform wrote", () => {
  const expressible = vectors.flatMap(([name, type, msgpack, json]) =>
    json === undefined ? [] : [{ name, type: typeFromJson(type), msgpack, json }],
  );

  it.each(expressible)("is read and written back the same: $name", ({ type, msgpack, json }) => {
    const value = decodeJson(type, json);
    expect(equal(type, value, compile(type).decode(Buffer.from(msgpack, "hex")))).toBe(true);
    expect(encodeJson(type, value)).toBe(json);
  });
});

describe("decodeJson", () => {
  it.each<[string, CtyValue]>([
    ["9007199254740993", 2n ** 53n + 1n],
    ["-9223372036854775808", -(2n ** 63n)],
    ["18446744073709551615", 2n ** 64n - 1n],
    ["0.1", 0.1],
    ["1e3", 1000],
    ["1E400", 10n ** 400n],
    ["-0", 0],
    ['"12"', 12],
  ])("keeps the number %s", (text, expected) => {
    expect(decodeJson("number", text)).toBe(expected);
  });

  it("keeps a number of thirty decimal places", () => {
    const text = "0.123456789012345678901234567891";
    expect(decodeJson("number", text)).toEqual(new Decimal(text));
    expect(encodeJson("number", new Decimal(text))).toBe(text);
  });

  it("returns null for omitted attributes, and JavaScript's names", () => {
    expect(decodeJson(endpoint, Buffer.from('{"endpoint_id":"ü"}'))).toEqual({
      endpointId: "ü",
      size: null,
      isOn: null,
    });
  });

  it("converts strings, numbers and booleans where they have the same meaning", () => {
    expect(decodeJson(endpoint, '{"endpoint_id":12.50,"size":"3","is_on":"true"}')).toEqual({
      endpointId: "12.50",
      size: 3,
      isOn: true,
    });
  });

  it("accepts any string as a map's key", () => {
    const value = decodeJson({ map: "number" }, '{"__proto__":1}');
    expect(Object.entries(value ?? {})).toEqual([["__proto__", 1]]);
  });

  it("reads a dynamic value regardless of the order of its members", () => {
    const expected = new DynamicValue({ list: "bool" }, [true]);
    expect(decodeJson("dynamic", '{"value":[true],"type":["list","bool"]}')).toEqual(expected);
    expect(decodeJson("dynamic", '{"type":["list","bool"],"value":[true]}')).toEqual(expected);
    expect(decodeJson("dynamic", "null")).toBeNull();
  });

  it.each<[CtyType, string, string]>([
    [endpoint, '{"other":1}', 'unsupported attribute "other"'],
    [{ list: endpoint }, '[{"size":"x"}]', '[0].size: "x" is not a decimal number'],
    [{ list: "bool" }, '["yes"]', "[0]: expected a boolean, found a string"],
    ["number", "true", "expected a number, found a bool"],
    ["string", "[]", "expected a string, found an array"],
    [{ list: "bool" }, "{}", "expected a list, found an object"],
    [{ set: "bool" }, "{}", "expected a set, found an object"],
    [{ map: "bool" }, "1", "expected a map, found a number"],
    [{ tuple: ["bool"] }, "[]", "expected a tuple of 1 elements, found 0"],
    [{ list: "dynamic" }, '[{"value":1}]', "[0]: a dynamic value must have exactly the members"],
    [{ list: "dynamic" }, '[{"value":1,"type":"x"}]', "[0]: the type descriptor contains"],
  ])("refuses a mismatched value: %j %s", (type, text, message) => {
    expect(() => decodeJson(type, text)).toThrow(message);
  });
});

describe("encodeJson", () => {
  it("refuses unknown values, with their place", () => {
    expect(() => encodeJson({ list: endpoint }, [{ size: UNKNOWN }])).toThrow(
      "[0].size: unknown values cannot be encoded as JSON",
    );
  });

  it.each<[CtyType, CtyValue, string]>([
    ["number", Infinity, "the number Infinity cannot be encoded as JSON"],
    ["number", NaN, "the number NaN cannot be encoded as JSON"],
    [endpoint, { sice: 1 }, 'unsupported attribute "sice"'],
    [{ list: "string" }, [1], "[0]: expected a string, got a number"],
  ])("refuses a mismatched value: %j", (type, value, message) => {
    expect(() => encodeJson(type, value)).toThrow(message);
  });

  it("is read back as an equal value, for all types and known values", () => {
    const typeAndValue = anyType.chain((type) =>
      fc.tuple(fc.constant(type), valueOf(type, { unknowns: false })),
    );
    fc.assert(
      fc.property(typeAndValue, ([type, value]) => {
        expect(equal(type, decodeJson(type, encodeJson(type, value)), value)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the JSON reader", () => {
  it("accepts what JSON.parse accepts", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, "\t"), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), undefined, space);
        expect(() => parseExactJson(text)).not.toThrow();
      }),
    );
  });

  it("reads strings with escapes", () => {
    expect(parseExactJson(String.raw`"a\"\\\u00e9\ud83c\udf89\n"`)).toBe('a"\\é🎉\n');
  });

  it.each([
    "",
    " ",
    "{",
    "[1,]",
    "{,}",
    '{"a"}',
    '{"a":1,}',
    "01",
    "1.",
    "+1",
    "tru",
    '"a',
    "nul",
    "[1 2]",
    '"\\x"',
    '"\n"',
    "1 2",
    "{1:2}",
    "NaN",
    "'a'",
  ])("refuses %j", (text) => {
    expect(() => parseExactJson(text)).toThrow("invalid JSON");
  });

  it.each(['{"a":1,"\\u0061":2}', '"\\ud800"'])("refuses %s, which is ambiguous", (text) => {
    expect(() => parseExactJson(text)).toThrow("invalid JSON");
  });

  it("accepts any string as a name", () => {
    expect(parseExactJson('{"__proto__":"a"}')).toEqual(new Map([["__proto__", "a"]]));
  });

  it("ends at a thousand levels", () => {
    expect(() => parseExactJson("[".repeat(1000) + "]".repeat(1000))).not.toThrow();
    expect(() => parseExactJson("[".repeat(100_000))).toThrow("deeper than 1000");
  });

  it("refuses invalid UTF-8", () => {
    expect(() => decodeJson("string", Uint8Array.of(0x22, 0xff, 0x22))).toThrow("not valid UTF-8");
  });
});
