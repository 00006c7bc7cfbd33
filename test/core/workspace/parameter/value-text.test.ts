import fc from "fast-check";
import {
  isBool,
  isDecimalNumber,
  parseInteger64,
  parseList,
} from "../../../../src/core/workspace/parameter/value-text";

describe("numbers without validation", () => {
  test.each([
    "0",
    "-0",
    "+3",
    "1.5",
    "1.",
    ".5",
    "007",
    "1e5",
    "1E+5",
    "-1.5e-5",
    "1e308",
    "1e-400",
  ])("%j is valid", (text) => expect(isDecimalNumber(text)).toBe(true));

  test.each([
    "",
    " 1",
    "1 ",
    "1\n",
    "1_000",
    "0x10",
    "0x1p-2",
    "NaN",
    "Inf",
    "-Inf",
    "Infinity",
    "1e309",
    "-1e999",
    ".",
    "e5",
    "1e",
    "1e+",
    "--1",
    "1,5",
    "1.2.3",
    "٣",
    "true",
    "0b1",
    "1n",
  ])("%j is not valid", (text) => expect(isDecimalNumber(text)).toBe(false));

  test("include every string form of a finite double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(isDecimalNumber(String(number))).toBe(true);
      }),
    );
  });
});

describe("64-bit integers", () => {
  test.each([
    ["0", 0n],
    ["-0", 0n],
    ["+3", 3n],
    ["007", 7n],
    ["9007199254740993", 9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    [`${"0".repeat(100)}9223372036854775807`, 9223372036854775807n],
  ])("%j is read exactly", (text, value) => expect(parseInteger64(text)).toBe(value));

  test.each([
    "",
    "-",
    "+",
    "1.0",
    "1e3",
    "0x10",
    "1_0",
    " 1",
    "1\n",
    "NaN",
    "٣",
    "--1",
    "9223372036854775808",
    "-9223372036854775809",
    "99999999999999999999",
  ])("%j is not valid", (text) => expect(parseInteger64(text)).toBeUndefined());

  test("end exactly at both limits", () => {
    const edges = [2n ** 63n, -(2n ** 63n)];
    const near = fc.tuple(fc.constantFrom(...edges), fc.bigInt(-1_000n, 1_000n));
    fc.assert(
      fc.property(near, ([edge, distance]) => {
        const value = edge + distance;
        const fits = BigInt.asIntN(64, value) === value;
        expect(parseInteger64(String(value))).toBe(fits ? value : undefined);
      }),
    );
  });

  test("a long string of digits does not stall", () => {
    expect(parseInteger64("9".repeat(100_000))).toBeUndefined();
    expect(parseInteger64(`${"0".repeat(100_000)}x`)).toBeUndefined();
    expect(isDecimalNumber(`${"1".repeat(100_000)}x`)).toBe(false);
  });
});

describe("booleans", () => {
  test.each(["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"])(
    "%j is valid",
    (text) => expect(isBool(text)).toBe(true),
  );

  test.each(["", "tRUE", "yes", "on", "2", " true", "true\n", "01"])("%j is not valid", (text) =>
    expect(isBool(text)).toBe(false),
  );
});

describe("lists of strings", () => {
  test.each([
    ["[]", []],
    ["null", []],
    [' [ "a" , "b" ]\n', ["a", "b"]],
    ['["a","a"]', ["a", "a"]],
    ['["\\u00e4"]', ["ä"]],
  ])("%j is valid", (text, list) => expect(parseList(text)).toEqual(list));

  test.each([
    "",
    " ",
    "[null]",
    "[1]",
    "{}",
    '"a"',
    "[[]]",
    '["a"] x',
    '["a",]',
    "['a']",
    "a,b",
    "[",
    "1",
    "[".repeat(100_000),
  ])("%j is not valid", (text) => expect(parseList(text)).toBeUndefined());

  test("are read as they were written", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (list) => {
        expect(parseList(JSON.stringify(list))).toEqual(list);
      }),
    );
  });
});
