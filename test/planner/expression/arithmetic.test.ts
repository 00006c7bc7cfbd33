import * as fc from "fast-check";
import {
  add,
  divide,
  multiply,
  negate,
  remainder,
  subtract,
} from "../../../src/planner/expression/arithmetic";
import { NotComputed } from "../../../src/planner/expression/value";
import { type CtyNumber, numberText, parseNumber } from "../../../src/core/provider-kit/values";
import { evaluatedByTerraform } from "./terraform-console";

const operators: Readonly<Record<string, (a: CtyNumber, b: CtyNumber) => CtyNumber>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
};

const decimal = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: -30, max: 8 }))
  .map(([digits, exponent]) => numberText(parseNumber(`${digits}e${exponent}`)));

const named = `
0.1 + 0.7; 1.1 + 2.2; 0.3 - 0.1; 1.1 * 1.1; 1.1 / 3; 1 / 10; 1.1 % 0.1; 7 % 3; 0.5 * 0.25; 1 / 1024
12345678901234567890 * 98765432109876543210; 1e100 + 1; 3 / 0.3; 100 * 1.1; 0.1 * 3; 5 % 0.3
1e-30 + 1e30; 1e300 * 1.5; 1e200 * 1e200; 1e200 + 0.1; 0.5 - 0.5`
  .trim()
  .split(/[;\n] ?/);

const random = fc
  .sample(fc.tuple(decimal, fc.constantFrom(...Object.keys(operators)), decimal), {
    numRuns: 500,
    seed: 4,
  })
  .map((parts) => parts.join(" "));

const cases = [...named, ...random];

function computed(operator: string, left: CtyNumber, right: CtyNumber): CtyNumber | undefined {
  try {
    return operators[operator]?.(left, right);
  } catch (error) {
    if (error instanceof NotComputed) return undefined;
    throw error;
  }
}

test("computes as Terraform does, with 512 bits", () => {
  const expected = evaluatedByTerraform(cases);
  let compared = 0;
  cases.forEach((expression, at) => {
    const [left = "", operator = "", right = ""] = expression.split(" ");
    const result = computed(operator, parseNumber(left), parseNumber(right));
    if (result === undefined) return;
    compared += 1;
    expect([expression, `[${numberText(result)}]`]).toEqual([expression, expected[at]?.json]);
  });
  expect(compared).toBeGreaterThan(400);
});

test("leaves open a quotient that depends on where its numbers come from", () => {
  expect(() => divide(1, 3)).toThrow(NotComputed);
  expect(divide(1, 8)).toBe(0.125);
  expect([divide(1, 0), divide(-1, 0)]).toEqual([Infinity, -Infinity]);
  expect(() => divide(0, 0)).toThrow("undefined");
});

test("negates", () => {
  expect([negate(3), negate(-0.5), negate(0)]).toEqual([-3, 0.5, -0]);
});
