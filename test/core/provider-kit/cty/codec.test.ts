import * as fc from "fast-check";
import { compile } from "../../../../src/core/provider-kit/cty/codec";
import { Decimal } from "../../../../src/core/provider-kit/cty/number";
import { equal } from "../../../../src/core/provider-kit/cty/equal";
import { type CtyType, typeFromJson } from "../../../../src/core/provider-kit/cty/type";
import { type CtyValue, DynamicValue } from "../../../../src/core/provider-kit/cty/value";
import { UNKNOWN } from "../../../../src/core/schema/type";
import { anyType, valueOf } from "./arbitrary";
import { vectors } from "./vectors";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const encode = (type: CtyType, value: CtyValue) => hex(compile(type).encode(value));
const decode = (type: CtyType, encoded: string) =>
  compile(type).decode(Buffer.from(encoded, "hex"));

const endpoint: CtyType = {
  object: [
    { wire: "endpoint_id", name: "endpointId", type: "string" },
    { wire: "count", name: "count", type: "number" },
    { wire: "labels", name: "labels", type: { map: "string" } },
    {
      wire: "rule",
      name: "rules",
      type: { list: { object: [{ wire: "is_on", name: "isOn", type: "bool" }] } },
    },
  ],
};

describe("values that Terraform wrote", () => {
  const storable = vectors.filter(([name]) => !name.endsWith("infinity"));

  it.each(storable)("are read and written back the same: %s", (name, type, msgpack) => {
    const codec = compile(typeFromJson(type));
    const value = codec.decode(Buffer.from(msgpack, "hex"));
    const isRefined = name.startsWith("unknown");
    expect(hex(codec.encode(value))).toBe(isRefined ? "d40000" : msgpack);
  });
});

describe("numbers", () => {
  it.each<[string, CtyValue]>([
    ["cf001fffffffffffff", Number.MAX_SAFE_INTEGER],
    ["cf0020000000000001", 2n ** 53n + 1n],
    ["d38000000000000000", -(2n ** 63n)],
    ["cfffffffffffffffff", 2n ** 64n - 1n],
    ["d3ffffffffffffffff", -1],
    ["cf0000000000000001", 1],
    ["ca3e800000", 0.25],
    ["cb3ff0000000000000", 1],
    ["cb8000000000000000", 0],
    ["cb7ff0000000000000", Infinity],
    ["cb43f0000000000000", 2n ** 64n],
    ["a3302e31", 0.1],
    ["a53165343030", 10n ** 400n],
    ["a22d30", 0],
  ])("reads %s", (encoded, expected) => {
    expect(decode("number", encoded)).toBe(expected);
  });

  it("keeps fractions that no double can represent", () => {
    const text = "3.14159265358979323846264338327950288";
    const encoded = `d925${Buffer.from(text).toString("hex")}`;
    expect(decode("number", encoded)).toEqual(new Decimal(text));
    expect(encode("number", new Decimal(text))).toBe(encoded);
  });

  it("keeps the exact value of a double that prints as something shorter", () => {
    const value = decode("number", "cb3fb999999999999a");
    expect(value).toEqual(new Decimal("0.1000000000000000055511151231257827021181583404541015625"));
    expect(encode("number", value)).toBe("cb3fb999999999999a");
  });

  it("writes equal numbers the same whatever their JavaScript type", () => {
    expect(encode("number", 5n)).toBe("05");
    expect(encode("number", new Decimal("5.00"))).toBe("05");
    expect(encode("number", new Decimal("0.50"))).toBe("cb3fe0000000000000");
    expect(encode("number", -0)).toBe("00");
    expect(encode("number", 2 ** 53)).toBe(encode("number", 2n ** 53n));
  });

  it.each([Infinity, -Infinity])("does not write %d, which no state can keep", (value) => {
    const message = `${value} is not a number in Terraform`;
    expect(() => encode("number", value)).toThrow(message);
    expect(() => encode("dynamic", DynamicValue.of([value]))).toThrow(message);
  });

  it("refuses NaN in both directions", () => {
    expect(() => encode("number", NaN)).toThrow("NaN is not a number in Terraform");
    expect(() => decode("number", "cb7ff8000000000000")).toThrow("NaN");
  });

  it("refuses strings that are not numbers, and exponents that would exhaust the memory", () => {
    expect(() => decode("number", "a161")).toThrow('"a" is not a decimal number');
    expect(() => decode("number", "a9316539393939393939")).toThrow("out of range");
  });
});

describe("null and unknown", () => {
  it.each<CtyType>([
    "string",
    "dynamic",
    { list: "bool" },
    { set: "bool" },
    { map: "bool" },
    endpoint,
  ])("exist in every type: %j", (type) => {
    expect(decode(type, encode(type, null))).toBeNull();
    expect(decode(type, encode(type, UNKNOWN))).toBe(UNKNOWN);
    expect(decode(type, "d50000ff")).toBe(UNKNOWN);
    expect(decode(type, "c7030c8101c2")).toBe(UNKNOWN);
  });

  it("refuses other extensions", () => {
    expect(() => decode("string", "d5070000")).toThrow("unsupported msgpack extension 7");
  });
});

describe("strings", () => {
  it("is written in Unicode's composed form, as Terraform stores it", () => {
    expect(encode("string", "e\u0301")).toBe("a2c3a9");
  });

  it("must be valid UTF-8", () => {
    expect(() => decode("string", "a1ff")).toThrow("not valid UTF-8");
    expect(() => decode("string", `d920${"61".repeat(31)}c3`)).toThrow("not valid UTF-8");
  });

  it("may contain the replacement character", () => {
    expect(decode("string", encode("string", "a\ufffdb"))).toBe("a\ufffdb");
  });
});

describe("objects", () => {
  it("convert between JavaScript's and Terraform's names", () => {
    const value = { endpointId: "a", count: 1, labels: { x: "y" }, rules: [{ isOn: true }] };
    const bytes = compile(endpoint).encode(value);
    expect(Buffer.from(bytes).toString("latin1")).toContain("endpoint_id");
    expect(compile(endpoint).decode(bytes)).toEqual(value);
  });

  it("have null for attributes that the JavaScript object lacks", () => {
    expect(decode(endpoint, encode(endpoint, {}))).toEqual({
      endpointId: null,
      count: null,
      labels: null,
      rules: null,
    });
  });

  it("do not use inherited properties as attributes", () => {
    const type: CtyType = {
      object: ["constructor", "__proto__"].map((name) => ({ wire: name, name, type: "string" })),
    };
    const value = decode(type, encode(type, {}));
    expect(Object.entries(value ?? {})).toEqual([
      ["__proto__", null],
      ["constructor", null],
    ]);
  });

  it("are read with their attributes in any order", () => {
    const type: CtyType = {
      object: ["a", "b"].map((name) => ({ wire: name, name, type: "number" })),
    };
    expect(decode(type, "82a16202a16101")).toEqual({ a: 1, b: 2 });
  });

  const pair: CtyType = {
    object: [{ wire: "pair", name: "pair", type: { object: twoFields("a_a", "b_b") } }],
  };
  function twoFields(...wires: string[]) {
    return wires.map((wire) => ({ wire, name: wire, type: "number" as const }));
  }

  it.each([
    ["missing", "81a47061697281a3615f6101", 'pair: attribute "b_b" is missing'],
    ["unsupported", "81a47061697281a163c0", 'pair: unsupported attribute "c"'],
    ["repeated", "81a47061697282a3615f6101a3615f6101", 'pair: attribute "a_a" occurs twice'],
  ])("name an attribute that is %s", (_case, encoded, message) => {
    expect(() => decode(pair, encoded)).toThrow(message);
  });

  it("refuse a property that is not an attribute, unless it is undefined", () => {
    expect(() => encode(endpoint, { rules: [{ isOnn: true }] })).toThrow(
      'rules[0]: unsupported attribute "isOnn"',
    );
    const withUndefined = { count: 1, more: undefined } as unknown as CtyValue;
    expect(encode(endpoint, withUndefined)).toBe(encode(endpoint, { count: 1 }));
  });
});

describe("collections", () => {
  it("write sets without repetition and in one order, at every level", () => {
    const type: CtyType = { set: { set: "number" } };
    const encoded = encode(type, [[3, 1, 1n], [2], [new Decimal("1"), 3]]);
    expect(decode(type, encoded)).toEqual([[2], [1, 3]]);
  });

  it("keep several unknown elements of a set: they may turn out different", () => {
    expect(decode({ set: "string" }, encode({ set: "string" }, [UNKNOWN, UNKNOWN]))).toEqual([
      UNKNOWN,
      UNKNOWN,
    ]);
  });

  it("accept any string as a map's key", () => {
    const given = Object.fromEntries([
      ["__proto__", 1],
      ["constructor", 2],
    ]);
    const encoded = encode({ map: "number" }, given);
    const value = decode({ map: "number" }, encoded);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.entries(value ?? {})).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
    ]);
  });

  it("refuse a map's key that occurs twice", () => {
    expect(() => decode({ map: "number" }, "82a16101a16101")).toThrow("a: the key occurs twice");
  });

  it("refuse tuples of another length", () => {
    const tuple: CtyType = { tuple: ["string", "number"] };
    expect(() => decode(tuple, "91a161")).toThrow("expected a tuple of 2 elements, found 1");
    expect(() => encode(tuple, ["a"])).toThrow("expected a tuple of 2 elements, got 1");
  });
});

describe("dynamic values", () => {
  const inner: CtyType = {
    object: [{ wire: "is_on", name: "is_on", type: { tuple: ["bool", "number"] } }],
  };
  const value = new DynamicValue(inner, { is_on: [true, UNKNOWN] });
  const outer: CtyType = {
    object: [
      { wire: "any", name: "any", type: "dynamic" },
      { wire: "many", name: "many", type: { map: "dynamic" } },
    ],
  };

  it("keep their type through objects and maps", () => {
    const given = { any: value, many: { a: value, b: null, c: new DynamicValue("string", null) } };
    expect(decode(outer, encode(outer, given))).toEqual(given);
  });

  it("are written with Terraform's names", () => {
    const renamed: CtyType = { object: [{ wire: "is_on", name: "isOn", type: "bool" }] };
    expect(decode("dynamic", encode("dynamic", new DynamicValue(renamed, { isOn: true })))).toEqual(
      new DynamicValue(
        { object: [{ wire: "is_on", name: "is_on", type: "bool" }] },
        { is_on: true },
      ),
    );
  });

  it("need their type", () => {
    expect(() => encode(outer, { any: "text" })).toThrow(
      "any: expected a value with its type, such as DynamicValue.of(value), got a string",
    );
  });

  it("refuse an invalid type descriptor, with its place", () => {
    expect(() => decode("dynamic", "92c40322782201")).toThrow("unknown type");
    expect(() => decode({ list: "dynamic" }, "9192c4022278c0")).toThrow(
      "[0]: the type descriptor is not JSON",
    );
    expect(() => decode("dynamic", "91c0")).toThrow("a dynamic value must have 2 parts, found 1");
  });

  it("end at a thousand levels", () => {
    const level = `92c409${Buffer.from('"dynamic"').toString("hex")}`;
    expect(() => decode("dynamic", `${level.repeat(1001)}c0`)).toThrow("deeper than 1000");
    let nested: CtyValue = null;
    for (let depth = 0; depth < 1001; depth += 1) nested = new DynamicValue("dynamic", nested);
    expect(() => encode("dynamic", nested)).toThrow("deeper than 1000");
  });
});

describe("malformed input", () => {
  it.each<[string, CtyType, string, string]>([
    ["nothing", "string", "", "truncated"],
    ["a text that ends early", "string", "a361", "truncated"],
    ["a count beyond the bytes", { list: "string" }, "ddffffffff", "truncated"],
    ["a map count beyond the bytes", { map: "string" }, "dfffffffff", "truncated"],
    ["a truncated number", "number", "cf00", "truncated"],
    ["a truncated unknown value", "number", "d400", "truncated"],
    ["bytes after the value", "bool", "c3c3", "extra bytes after the value: 1"],
    ["a number for a text", "string", "01", "expected a string, found a number"],
    ["a text for a bool", "bool", "a161", "expected a boolean, found a string"],
    ["a bool for a number", "number", "c2", "expected a number, found a bool"],
    ["a map for a list", { list: "bool" }, "80", "expected a list, found a map"],
    ["an array for a map", { map: "bool" }, "90", "expected a map, found an array"],
    ["a byte string for an object", { object: [] }, "c400", "expected an object, found a byte"],
    ["an invalid code", "bool", "c1", "the invalid code 0xc1"],
    ["a key that is not a string", { map: "bool" }, "8101c3", "expected a string, found a number"],
  ])("is refused: %s", (_case, type, encoded, message) => {
    expect(() => decode(type, encoded)).toThrow(message);
  });

  it("shows the place", () => {
    const type: CtyType = { object: [{ wire: "a-b", name: "x", type: { map: { list: "bool" } } }] };
    expect(() => decode(type, "81a3612d6281a36b206b9101")).toThrow(
      '["a-b"]["k k"][0]: expected a boolean',
    );
  });

  it("never fails with anything but a CtyError", () => {
    const codecs = vectors.map(([, type]) => compile(typeFromJson(type)));
    fc.assert(
      fc.property(fc.constantFrom(...codecs), fc.uint8Array({ maxLength: 40 }), (codec, bytes) => {
        try {
          codec.decode(bytes);
        } catch (error) {
          expect(error).toHaveProperty("name", "CtyError");
        }
      }),
    );
  });

  it("is detected wherever a value is truncated", () => {
    for (const [, type, msgpack] of vectors) {
      const codec = compile(typeFromJson(type));
      const bytes = Buffer.from(msgpack, "hex");
      for (let end = 0; end < bytes.length; end += 1) {
        expect(() => codec.decode(bytes.subarray(0, end))).toThrow();
      }
    }
  });
});

it.each<[CtyType, CtyValue]>([
  ["string", 1],
  ["number", "1"],
  ["bool", "true"],
  [{ list: "string" }, "a"],
  [{ set: "string" }, {}],
  [{ map: "string" }, ["a"]],
  [{ object: [] }, new DynamicValue("string", "a")],
  [{ map: "string" }, new Decimal("1")],
])("a JavaScript value of another kind is refused: %j", (type, value) => {
  expect(() => encode({ list: type }, [value])).toThrow(/^\[0\]: expected /);
});

it("decodes to an equal value, for all types and values", () => {
  const typeAndValue = anyType.chain((type) =>
    fc.tuple(fc.constant(type), valueOf(type, { unknowns: true })),
  );
  fc.assert(
    fc.property(typeAndValue, ([type, value]) => {
      const codec = compile(type);
      const bytes = codec.encode(value);
      const decoded = codec.decode(bytes);
      expect(equal(type, decoded, value)).toBe(true);
      expect(hex(codec.encode(decoded))).toBe(hex(bytes));
    }),
    { numRuns: 300 },
  );
});
