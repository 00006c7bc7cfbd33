import * as fc from "fast-check";
import {
  type Decoded,
  field,
  type Message,
  message,
} from "../../../../../src/core/provider-kit/wire/grpc/protobuf";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytesOf = (encoded: string) => Buffer.from(encoded, "hex");

const Inner = message(() => ({ text: field.string(1), count: field.int64(2) }));

const All = message(() => ({
  text: field.string(1),
  data: field.bytes(2),
  flag: field.bool(3),
  count: field.int64(4),
  color: field.enum(5, { NONE: 0, RED: 1, BLUE: 7 }),
  inner: field.message(6, () => Inner),
  texts: field.repeated(field.string(7)),
  counts: field.repeated(field.int64(8)),
  inners: field.repeated(field.message(9, () => Inner)),
  colors: field.repeated(field.enum(10, { NONE: 0, RED: 1 })),
  byName: field.map(11, field.string(2)),
  innerByName: field.map(
    12,
    field.message(2, () => Inner),
  ),
  maybeText: field.optional(field.string(13)),
  maybeCount: field.optional(field.int64(300)),
}));

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const Tree: Message<Tree, Partial<Tree>> = message(() => ({
  name: field.string(1),
  children: field.repeated(field.message(2, () => Tree)),
}));

const empty: Decoded<typeof All> = {
  text: "",
  data: new Uint8Array(0),
  flag: false,
  count: 0,
  color: "NONE",
  inner: undefined,
  texts: [],
  counts: [],
  inners: [],
  colors: [],
  byName: {},
  innerByName: {},
  maybeText: undefined,
  maybeCount: undefined,
};

describe("a message", () => {
  it("has every scalar, list and map when nothing was sent", () => {
    expect(All.decode(new Uint8Array(0))).toEqual(empty);
  });

  it("leaves defaults off the wire", () => {
    const nothing = { ...empty, maybeText: undefined };
    expect(hex(All.encode(nothing))).toBe("");
    expect(hex(All.encode({}))).toBe("");
  });

  it("writes optional members even when they have the default value", () => {
    const bytes = All.encode({ maybeText: "", maybeCount: 0 });
    expect(hex(bytes)).toBe("6a00e01200");
    expect(All.decode(bytes)).toEqual({ ...empty, maybeText: "", maybeCount: 0 });
  });

  it("writes an empty message that is present", () => {
    expect(hex(All.encode({ inner: {} }))).toBe("3200");
    expect(All.decode(bytesOf("3200")).inner).toEqual({ text: "", count: 0 });
  });

  it("writes its fields in the order of their numbers", () => {
    expect(hex(All.encode({ count: 1, text: "a" }))).toBe("0a01612001");
  });

  it("survives the round trip", () => {
    const safe = fc.maxSafeInteger();
    const text = fc.string({ unit: "grapheme" });
    const inner = fc.record({ text, count: safe });
    const all = fc.record({
      text,
      data: fc.uint8Array(),
      flag: fc.boolean(),
      count: safe,
      color: fc.constantFrom("NONE" as const, "RED" as const, "BLUE" as const),
      inner: fc.option(inner, { nil: undefined }),
      texts: fc.array(text),
      counts: fc.array(safe),
      inners: fc.array(inner),
      colors: fc.array(fc.constantFrom("NONE" as const, "RED" as const)),
      byName: fc.dictionary(text, text, { noNullPrototype: false }),
      innerByName: fc.dictionary(text, inner),
      maybeText: fc.option(text, { nil: undefined }),
      maybeCount: fc.option(safe, { nil: undefined }),
    });
    fc.assert(
      fc.property(all, (value) => {
        const bytes = All.encode(value);
        const decoded = All.decode(bytes);
        expect({ ...decoded, data: [...decoded.data] }).toEqual({
          ...value,
          data: [...value.data],
        });
        expect(hex(All.encode(decoded))).toBe(hex(bytes));
      }),
    );
  });

  it("may contain itself", () => {
    const tree = { name: "a", children: [{ name: "b", children: [{ name: "c", children: [] }] }] };
    expect(Tree.decode(Tree.encode(tree))).toEqual(tree);
  });

  it("grows with large fields", () => {
    const data = Buffer.alloc(100_000, 7);
    const texts = Array.from({ length: 1000 }, (_, index) => `text ${index}`);
    const decoded = All.decode(All.encode({ data, texts }));
    expect(Buffer.compare(decoded.data, data)).toBe(0);
    expect(decoded.texts).toEqual(texts);
  });
});

describe("decoding", () => {
  it("skips unknown fields of every kind", () => {
    const unknown = ["a00601", "a1060102030405060708", "a2060161", "a50601020304"].join("");
    expect(All.decode(bytesOf(`${unknown}0a0161${unknown}`)).text).toBe("a");
  });

  it("uses the last of several scalars and merges several messages", () => {
    expect(All.decode(bytesOf("0a01610a0162")).text).toBe("b");
    expect(All.decode(bytesOf("32030a016132021005")).inner).toEqual({ text: "a", count: 5 });
  });

  it("reads lists of integers packed and unpacked", () => {
    expect(All.decode(bytesOf("4201014003420202ac02".replace("ac02", "04"))).counts).toEqual([
      1, 3, 2, 4,
    ]);
    expect(All.decode(bytesOf("520101")).colors).toEqual(["RED"]);
  });

  it("reads negative and large integers", () => {
    expect(All.decode(bytesOf("20ffffffffffffffffff01")).count).toBe(-1);
    expect(All.decode(bytesOf("20ffffffffffffff0f")).count).toBe(Number.MAX_SAFE_INTEGER);
    expect(All.decode(bytesOf("208000")).count).toBe(0);
  });

  it("reads an enum's unknown number as the default name", () => {
    expect(All.decode(bytesOf("2809")).color).toBe("NONE");
  });

  it("reads map entries without key or value", () => {
    expect(All.decode(bytesOf("5a00")).byName).toEqual({ "": "" });
    expect(All.decode(bytesOf("62030a0161")).innerByName).toEqual({ a: { text: "", count: 0 } });
  });

  it("accepts any string as a map's key", () => {
    const bytes = All.encode({ byName: Object.fromEntries([["__proto__", "x"]]) });
    expect(Object.entries(All.decode(bytes).byName)).toEqual([["__proto__", "x"]]);
  });

  it.each([
    ["a tag without value", "0a", "truncated message"],
    ["a text that ends early", "0a0561", "5 bytes announced"],
    ["a field beyond its message", "32030a0561", "truncated message"],
    ["an embedded message that overlaps its end", "32020a0161", "truncated message"],
    ["a truncated varint", "20ff", "truncated message"],
    ["a truncated fixed64", "a10601", "truncated message"],
    ["a truncated fixed32", "a50601", "truncated message"],
    ["a length of 35 bits", "0affffffff7f", "overlong varint"],
    ["an integer of eleven bytes", "2080808080808080808080808000", "overlong varint"],
    ["an integer of 65 bits", "2080808080808080808002", "overlong varint"],
    ["an overlong varint in an unknown field", "a006ffffffffffffffffffff01", "overlong varint"],
    ["an unsafe integer", "20808080808080808001", "is not a safe integer in JavaScript"],
    ["another wire type", "0801", "field 1 has wire type 0, expected 2"],
    ["another wire type for an integer", "2500000000", "field 4 has wire type 5, expected 0"],
    ["a group", "a306", "groups are not part of proto3"],
    ["the end of a group", "a406", "groups are not part of proto3"],
    ["an undefined wire type", "a706", "unsupported wire type 7"],
    ["field number 0", "0001", "field number 0"],
    ["invalid UTF-8", "0a01ff", "invalid UTF-8"],
  ])("refuses %s", (_case, encoded, problem) => {
    const decode = () => All.decode(bytesOf(encoded));
    expect(decode).toThrow(problem);
  });

  it("refuses messages nested deeper than a hundred levels", () => {
    let tree: Partial<Tree> = { name: "leaf" };
    for (let depth = 0; depth < 100; depth += 1) {
      tree = { children: [{ name: "", children: [], ...tree }] };
    }
    expect(Tree.decode(Tree.encode(tree)).children).toHaveLength(1);
    const deeper = { children: [{ name: "", children: [], ...tree }] };
    expect(() => Tree.decode(Tree.encode(deeper))).toThrow("deeper than 100 levels");
  });

  it("fails with nothing but a ProtobufError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          All.decode(bytes);
        } catch (error) {
          expect(error).toHaveProperty("name", "ProtobufError");
        }
      }),
    );
  });
});

describe("encoding", () => {
  it("refuses integers that are not safe", () => {
    expect(() => All.encode({ count: 2 ** 53 })).toThrow("is not a safe integer");
    expect(() => All.encode({ count: 0.5 })).toThrow("is not a safe integer");
  });

  it("refuses an enum's unknown name", () => {
    const green = { color: "GREEN" } as unknown as { color: "RED" };
    expect(() => All.encode(green)).toThrow('"GREEN" must be one of NONE, RED, BLUE');
  });
});
