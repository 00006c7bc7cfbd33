import * as fc from "fast-check";
import {
  Decimal,
  decimalOf,
  int64Of,
  narrowDouble,
  numberText,
  parseNumber,
} from "../../../../src/core/provider-kit/cty/number";
import { decimalProblem } from "../../../../src/core/schema/number";

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

it.each([
  ["1.50", 1.5],
  ["-0", 0],
  ["1e3", 1000],
  ["123456789012345678901234567890", 123456789012345678901234567890n],
])("the decimal string %s means %p", (text, value) => {
  expect(decimalOf(text)).toBe(value);
});

it("decimal text has the digits that Terraform keeps, without zeros at the end of an integer", () => {
  expect(decimalOf(`${"9".repeat(153)}${"0".repeat(40)}`)).toBe((10n ** 153n - 1n) * 10n ** 40n);
  for (const text of ["9".repeat(155), `0.${"9".repeat(155)}`, `1${"0".repeat(154)}.1`]) {
    expect(() => decimalOf(text)).toThrow("must have at most 153 digits");
  }
});

// As printed by Go's math/big with 512 bits, and the same with another last digit.
it("a decimal string can have as many digits as Terraform writes for a calculated number", () => {
  const third = `0.${"3".repeat(154)}`;
  expect(numberText(decimalOf(third))).toBe(third);
  expect(decimalProblem(`0.${"3".repeat(153)}4`)).toBeUndefined();
  expect(decimalProblem(`0.${"3".repeat(155)}`)).toBeDefined();
});

it.each([2n ** 63n, -(2n ** 63n) - 1n, 0.5, "1", 2 ** 60])(
  "%p is not a 64-bit integer",
  (value) => {
    expect(() => int64Of(value)).toThrow("expected a 64-bit integer");
  },
);

it("a long run of zeros is normalized in linear time", () => {
  const text = `0.1${"0".repeat(1_000_000)}1${"0".repeat(1_000_000)}`;
  expect(new Decimal(text).text).toHaveLength(1_000_004);
});
