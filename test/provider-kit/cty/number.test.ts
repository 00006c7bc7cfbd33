import * as fc from "fast-check";
import { Decimal } from "../../../src/provider-kit/cty/decimal";
import { narrowDouble, numberText, parseNumber } from "../../../src/provider-kit/cty/number";

it.each([
  ["1.0", "1"],
  ["+007.500", "7.5"],
  ["-0.0", "0"],
  [".5", "0.5"],
  ["5.", "5"],
  ["1.25e2", "125"],
  ["1.25e1", "12.5"],
  ["-12e-3", "-0.012"],
  ["0e9", "0"],
  ["100e-2", "1"],
])("the decimal %s is %s", (text, normal) => {
  expect(new Decimal(text).text).toBe(normal);
  expect(JSON.stringify(new Decimal(text))).toBe(`"${normal}"`);
});

it.each(["", ".", "-", "e1", "1e", "1e1.5", "0x1", "1_000", "Infinity", "NaN", " 1", "1 "])(
  "%j is not a decimal",
  (text) => {
    expect(() => new Decimal(text)).toThrow("is not a decimal number");
  },
);

it("a fraction parsed from its string is the same number", () => {
  const fraction = fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true });
  fc.assert(
    fc.property(fraction, (value) => {
      expect(parseNumber(String(value))).toBe(value);
    }),
  );
});

it("an integer beyond the safe range keeps its exact value", () => {
  expect(numberText(2 ** 70)).toBe("1180591620717411303424");
  expect(parseNumber("1180591620717411303424")).toBe(2n ** 70n);
});

it("the exact value of a double reads as that double", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Number(numberText(narrowDouble(value)))).toBe(value + 0);
    }),
  );
});

it("a long run of zeros is normalized in linear time", () => {
  const text = `0.1${"0".repeat(1_000_000)}1${"0".repeat(1_000_000)}`;
  expect(new Decimal(text).text).toHaveLength(1_000_004);
});
