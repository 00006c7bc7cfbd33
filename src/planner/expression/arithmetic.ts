import { type CtyNumber, narrowInteger } from "../../core/provider-kit/values";
import {
  type BinaryFloat,
  binaryOf,
  decimalOf,
  decimalParts,
  nearest,
  quotient,
  readNumber,
} from "./binary-float";
import { EvaluationError, NotComputed } from "./value";

const isSafe = (value: unknown): value is number => Number.isSafeInteger(value);

/** Terraform has infinite numbers: a division by zero makes them. */
export const isInfinite = (value: unknown): value is number =>
  value === Infinity || value === -Infinity;

const isZero = (value: CtyNumber): boolean => value === 0;

/** Brings two decimal numbers to the same number of places. */
function aligned(a: CtyNumber, b: CtyNumber): readonly [bigint, bigint] {
  const [left, right] = [decimalParts(a), decimalParts(b)];
  const places = Math.max(left.places, right.places);
  const lift = (one: typeof left): bigint => one.digits * 10n ** BigInt(places - one.places);
  return [lift(left), lift(right)];
}

export function compareNumbers(a: CtyNumber, b: CtyNumber): number {
  // The order of doubles is that of their shortest texts.
  const isPlain = typeof a !== "object" && typeof b !== "object";
  if (!isPlain && (isInfinite(a) || isInfinite(b)))
    return a === Infinity || b === -Infinity ? 1 : -1;
  const [left, right] = isPlain ? [a, b] : aligned(a, b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Brings two binary numbers to the same exponent. */
function binaries(a: CtyNumber, b: CtyNumber): readonly [bigint, bigint, number] {
  const [left, right] = [binaryOf(a), binaryOf(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  if (Math.max(left.exponent, right.exponent) - exponent > maxShift) throw new NotComputed();
  const lift = (one: BinaryFloat): bigint => one.mantissa << BigInt(one.exponent - exponent);
  return [lift(left), lift(right), exponent];
}

/** Numbers of the protocol never differ more in their exponents. */
const maxShift = 100_000;

/**
 * Computes with infinite numbers. Only the sign of other numbers matters.
 *
 * @throws EvaluationError when the result is undefined
 */
function infinite(a: CtyNumber, b: CtyNumber, compute: (a: number, b: number) => number): number {
  const sizeOf = (value: CtyNumber): number =>
    isInfinite(value) || isZero(value) ? Number(value) : compareNumbers(value, 0);
  const result = compute(sizeOf(a), sizeOf(b));
  if (!Number.isNaN(result)) return result;
  throw new EvaluationError("The result for these infinite numbers or zeros is undefined.");
}

export function add(a: CtyNumber, b: CtyNumber): CtyNumber {
  if (isSafe(a) && isSafe(b)) return isSafe(a + b) ? a + b : BigInt(a) + BigInt(b);
  if (isInfinite(a) || isInfinite(b)) return infinite(a, b, (x, y) => x + y);
  const [left, right, exponent] = binaries(a, b);
  const [mine, other] = aligned(a, b);
  const places = Math.max(decimalParts(a).places, decimalParts(b).places);
  return decimalOf(nearest({ mantissa: left + right, exponent }), {
    digits: mine + other,
    places,
  });
}

export const negate = (a: CtyNumber): CtyNumber => {
  if (typeof a !== "object") return -a;
  return readNumber(a.text.startsWith("-") ? a.text.slice(1) : `-${a.text}`);
};

export const subtract = (a: CtyNumber, b: CtyNumber): CtyNumber => add(a, negate(b));

export function multiply(a: CtyNumber, b: CtyNumber): CtyNumber {
  if (isSafe(a) && isSafe(b)) {
    return isSafe(a * b) ? a * b : narrowInteger(BigInt(a) * BigInt(b));
  }
  if (isInfinite(a) || isInfinite(b) || isZero(a) || isZero(b)) {
    return infinite(a, b, (x, y) => x * y);
  }
  const [left, right] = [binaryOf(a), binaryOf(b)];
  const [mine, other] = [decimalParts(a), decimalParts(b)];
  return decimalOf(
    nearest({
      mantissa: left.mantissa * right.mantissa,
      exponent: left.exponent + right.exponent,
    }),
    { digits: mine.digits * other.digits, places: mine.places + other.places },
  );
}

/**
 * Divides. A number divided by zero is infinite.
 *
 * @throws EvaluationError when both are zero, or both infinite
 * @throws NotComputed when both are binary fractions, but their quotient is not a finite decimal number: Terraform
 * rounds it to 512 bits, or to 64 if both numbers come from functions such as `length`
 */
export function divide(a: CtyNumber, b: CtyNumber): CtyNumber {
  if (isSafe(a) && isSafe(b) && b !== 0 && a % b === 0) return a / b;
  if (isInfinite(a) || isInfinite(b) || isZero(b)) return infinite(a, b, (x, y) => x / y);
  const [mine, other] = aligned(a, b);
  const scaled = mine * 10n ** maxPlaces;
  const isFinite = scaled % other === 0n;
  if (!isFinite && isBinaryFraction(a) && isBinaryFraction(b)) throw new NotComputed();
  const [left, right] = binaries(a, b);
  return decimalOf(
    quotient(left, right),
    isFinite ? { digits: scaled / other, places: Number(maxPlaces) } : undefined,
  );
}

function isBinaryFraction(value: CtyNumber): boolean {
  const { digits, places } = decimalParts(value);
  return digits % 5n ** BigInt(places) === 0n;
}

/** The most decimal places that are written out. */
const maxPlaces = 150n;

/** The remainder, with the sign of the dividend. As in Terraform, it is the dividend if the divisor is zero. */
export function remainder(a: CtyNumber, b: CtyNumber): CtyNumber {
  if (isZero(b)) return a;
  if (isInfinite(a) || isInfinite(b)) {
    throw new EvaluationError("The remainder of infinite numbers is undefined.");
  }
  if (isZero(a)) return Number(a) - 0 * compareNumbers(b, 0);
  if (isSafe(a) && isSafe(b)) return (a % b) + 0;
  const [left, right] = binaries(a, b);
  // Like Terraform, from the rounded quotient.
  return subtract(a, multiply(b, rounded(decimalOf(quotient(left, right)), "zero")));
}

export function rounded(value: CtyNumber, towards: "zero" | "up" | "down"): CtyNumber {
  if (isSafe(value)) return value + 0;
  if (isInfinite(value)) return value;
  const { digits, places } = decimalParts(value);
  const unit = 10n ** BigInt(places);
  const whole = digits / unit;
  const rest = digits % unit;
  if (towards === "up" && rest > 0n) return narrowInteger(whole + 1n);
  if (towards === "down" && rest < 0n) return narrowInteger(whole - 1n);
  return narrowInteger(whole);
}
