import fc from "fast-check";
import { impreciseNumbers } from "../../../../src/core/signing/predicate/imprecise-numbers";

test.each([
  ["9007199254740993", "9007199254740992"],
  ["-9007199254740993", "-9007199254740992"],
  ["0.1000000000000000055511151231257827", "0.1"],
  ["123456789012345678901", "123456789012345680000"],
  ["1e-400", "0"],
])("%s is written as %s", (given, written) => {
  expect(impreciseNumbers(`{"a": [0, {"b": ${given}}]}`)).toEqual([
    { path: "a[1].b", given, written },
  ]);
});

test.each([
  "9007199254740992",
  "1e21",
  "1000000000000000000000",
  "0.10000000000000000000",
  "1E+200",
  "-0.0",
])("%s loses nothing", (number) => {
  expect(impreciseNumbers(`{"a": ${number}, "sha": "0123456789012345678901234567"}`)).toEqual([]);
});

test("numbers that a program wrote lose nothing", () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
      expect(impreciseNumbers(JSON.stringify({ value }))).toEqual([]);
    }),
  );
});

test("at most ten are listed, and none of what is not JSON", () => {
  const numbers = Array.from({ length: 30 }, () => "9007199254740993");
  expect(impreciseNumbers(`{"a": [${numbers.join()}]}`)).toHaveLength(10);
  expect(impreciseNumbers('{"a": 9007199254740993')).toEqual([]);
});
