import {
  type CtyNumber,
  isPrintedExactly,
  narrowInteger,
  numberText,
} from "../../../core/provider-kit/values";
import { compareNumbers, negate, rounded } from "../arithmetic";
import type { TerraformFunction } from "../function";
import { decimalOf, decimalParts, quotient } from "../binary-float";
import { EvaluationError, NotComputed, textOf, Value } from "../value";
import { anyParameter, integerOf, numberOf, numberParameter } from "./arguments";

const ofNumbers = (
  names: readonly string[],
  compute: (...numbers: readonly CtyNumber[]) => CtyNumber,
): TerraformFunction => ({
  parameters: names.map(numberParameter),
  returns: "number",
  call: (args) => Value.number(compute(...args.map(numberOf))),
});

/** A higher power has too many digits. */
const maxPower = 1_100n;

/** A power of doubles, which is computed only if it is exact. */
function powerOf(number: CtyNumber = 0, power: CtyNumber = 0): CtyNumber {
  const base = decimalParts(number);
  const exponent = decimalParts(power);
  const count = exponent.digits < 0n ? -exponent.digits : exponent.digits;
  if (exponent.places > 0 || count > maxPower) throw new NotComputed();
  // The result has more digits than any double.
  if (String(base.digits).length * Number(count) > 20_000) throw new NotComputed();
  const [above, below] = [base.digits ** count, 10n ** (BigInt(base.places) * count)];
  if (exponent.digits < 0n && above === 0n) throw new NotComputed();
  const result = decimalOf(exponent.digits < 0n ? quotient(below, above) : quotient(above, below));
  const isExact =
    typeof result === "number" && (Number.isInteger(result) || isPrintedExactly(result));
  if (!isExact) throw new NotComputed();
  return result;
}

/** A logarithm. Except for 1 and the base, it depends on the processor for which Go was compiled. */
function logarithm(number: CtyNumber = 0, base: CtyNumber = 0): CtyNumber {
  const [a, b] = [Number(numberText(number)), Number(numberText(base))];
  const isInvalid = a < 0 || b < 0 || (a === 1 && b === 1) || (a === 0 && b === 0);
  if (isInvalid) throw new EvaluationError("The logarithm of these numbers is undefined.");
  if (a > 0 && a === b) return 1;
  if (a === 1 && b > 1) return 0;
  throw new NotComputed();
}

const extreme = (sign: 1 | -1): TerraformFunction => ({
  parameters: [],
  rest: numberParameter("numbers"),
  returns: "number",
  call: ([first, ...others]) => {
    if (first === undefined) throw new EvaluationError("At least one number is required.");
    const numbers = others.map(numberOf);
    return Value.number(
      numbers.reduce(
        (best, each) => (sign * compareNumbers(each, best) > 0 ? each : best),
        numberOf(first),
      ),
    );
  },
});

/** Go's digits. Up to base 36, letters are not case-sensitive. */
const digitsOf = (base: number): string =>
  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, base);

function requireString(number: Value | undefined): void {
  if (number?.type !== "string") throw new EvaluationError("The first argument must be a string.");
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/abs} and the following pages */
export const numericFunctions: Readonly<Record<string, TerraformFunction>> = {
  abs: ofNumbers(["num"], (number = 0) =>
    compareNumbers(number, 0) < 0 || Object.is(number, -0) ? negate(number) : number,
  ),
  ceil: ofNumbers(["num"], (number = 0) => rounded(number, "up")),
  floor: ofNumbers(["num"], (number = 0) => rounded(number, "down")),
  log: ofNumbers(["num", "base"], logarithm),
  max: extreme(1),
  min: extreme(-1),
  parseint: {
    parameters: [anyParameter("number"), numberParameter("base")],
    returns: ([number]) => {
      requireString(number);
      return "number";
    },
    call: ([number, base]) => {
      requireString(number);
      const radix = Number(integerOf(base));
      if (radix < 2 || radix > 62) {
        throw new EvaluationError("The base must be a whole number between 2 and 62.");
      }
      const match = /^([+-]?)([0-9A-Za-z]{1,10000})$/.exec(textOf(number));
      const digits = digitsOf(radix);
      const text = match?.[2] ?? "";
      let result = 0n;
      for (const character of radix <= 36 ? text.toLowerCase() : text) {
        const digit = digits.indexOf(character);
        if (digit === -1)
          throw new EvaluationError(`The string is not an integer in base ${radix}.`);
        result = result * BigInt(radix) + BigInt(digit);
      }
      if (text === "") throw new EvaluationError(`The string is not an integer in base ${radix}.`);
      return Value.number(narrowInteger(match?.[1] === "-" ? -result : result));
    },
  },
  pow: ofNumbers(["num", "power"], powerOf),
  signum: {
    parameters: [numberParameter("num")],
    returns: "number",
    call: ([number]) => {
      const integer = integerOf(number);
      if (integer === 0n) return Value.number(0);
      return Value.number(integer < 0n ? -1 : 1);
    },
  },
};
