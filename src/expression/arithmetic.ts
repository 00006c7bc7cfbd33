import { type CtyNumber, narrowInteger } from "../provider-kit/values";
import {
  type BinaryFloat,
  binaryOf,
  decimalOf,
  decimalParts,
  nearest,
  quotient,
} from "./binary-float";
import { EvaluationError, NotComputed } from "./value";

const isSafe = (value: CtyNumber): value is number => Number.isSafeInteger(value);

/** Brings two decimal numbers to the same number of places. */
function aligned(a: CtyNumber, b: CtyNumber): readonly [bigint, bigint] {
  const [left, right] = [decimalParts(a), decimalParts(b)];
  const places = Math.max(left.places, right.places);
  const lift = (one: typeof left): bigint => one.digits * 10n ** BigInt(places - one.places);
  return [lift(left), lift(right)];
}

export function compareNumbers(a: CtyNumber, b: CtyNumber): number {
  if (isSafe(a) && isSafe(b)) return a - b;
  const [left, right] = aligned(a, b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Brings two binary numbers to the same exponent. */
function binaries(a: CtyNumber, b: CtyNumber): readonly [bigint, bigint, number] {
  const [left, right] = [binaryOf(a), binaryOf(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const lift = (one: BinaryFloat): bigint => one.mantissa << BigInt(one.exponent - exponent);
  return [lift(left), lift(right), exponent];
}

export function add(a: CtyNumber, b: CtyNumber): CtyNumber {
  if (isSafe(a) && isSafe(b)) return narrowInteger(BigInt(a) + BigInt(b));
  const [left, right, exponent] = binaries(a, b);
  return decimalOf(nearest({ mantissa: left + right, exponent }));
}

export const negate = (a: CtyNumber): CtyNumber => {
  const { mantissa, exponent } = binaryOf(a);
  return decimalOf({ mantissa: -mantissa, exponent });
};

export const subtract = (a: CtyNumber, b: CtyNumber): CtyNumber => add(a, negate(b));

export function multiply(a: CtyNumber, b: CtyNumber): CtyNumber {
  if (isSafe(a) && isSafe(b)) return narrowInteger(BigInt(a) * BigInt(b));
  const [left, right] = [binaryOf(a), binaryOf(b)];
  return decimalOf(
    nearest({
      mantissa: left.mantissa * right.mantissa,
      exponent: left.exponent + right.exponent,
    }),
  );
}

/**
 * Divides.
 *
 * @throws EvaluationError when the divisor is zero
 * @throws NotComputed when both are binary fractions, but their quotient is no finite decimal number: Terraform rounds
 * it to 512 binary digits, or to 64 if both numbers come from functions such as `length`
 */
export function divide(a: CtyNumber, b: CtyNumber): CtyNumber {
  const [left, right] = binaries(a, b);
  if (right === 0n) throw new EvaluationError("Division by zero.");
  const isPrecise = !isBinaryFraction(a) || !isBinaryFraction(b) || isFinite(...aligned(a, b));
  if (!isPrecise) throw new NotComputed();
  return decimalOf(quotient(left, right));
}

function isBinaryFraction(value: CtyNumber): boolean {
  const { digits, places } = decimalParts(value);
  return digits % 5n ** BigInt(places) === 0n;
}

/** More places are not written out. */
const maxPlaces = 150n;

const isFinite = (dividend: bigint, divisor: bigint): boolean =>
  (dividend * 10n ** maxPlaces) % divisor === 0n;

/** The remainder, with the sign of the dividend. If the divisor is zero, it is the dividend, as in Terraform. */
export function remainder(a: CtyNumber, b: CtyNumber): CtyNumber {
  const [left, right] = binaries(a, b);
  if (right === 0n) return a;
  // As Terraform does it: with the rounded quotient.
  return subtract(a, multiply(b, rounded(decimalOf(quotient(left, right)), "zero")));
}

/** Rounds to an integer. */
export function rounded(value: CtyNumber, towards: "zero" | "up" | "down"): CtyNumber {
  if (isSafe(value)) return value;
  const { digits, places } = decimalParts(value);
  const unit = 10n ** BigInt(places);
  const whole = digits / unit;
  const rest = digits % unit;
  if (towards === "up" && rest > 0n) return narrowInteger(whole + 1n);
  if (towards === "down" && rest < 0n) return narrowInteger(whole - 1n);
  return narrowInteger(whole);
}
