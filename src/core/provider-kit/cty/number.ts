import { decimalProblem, isInt64, withoutZeros } from "../../schema/number";
import { CtyError } from "./type";

/** Without this limit, a short string such as `1e999999999` would become a huge one. */
const maxExponent = 10_000;

const numberForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** An exact decimal number of any precision, for numbers that `number` cannot represent. */
export class Decimal {
  /** The number in plain decimal notation: no exponent, no redundant zeros, no plus sign. */
  readonly text: string;

  /** @throws CtyError when the string is not a decimal number */
  constructor(text: string) {
    this.text = normalizeDecimal(text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/**
 * Converts a decimal number to plain notation. Equal numbers become equal strings.
 *
 * @throws CtyError when the string is not a decimal number
 */
export function normalizeDecimal(text: string): string {
  const match = numberForm.exec(text);
  const whole = match?.[2] ?? "";
  const fraction = match?.[3] ?? "";
  if (match === null || whole.length + fraction.length === 0) {
    throw new CtyError(`${JSON.stringify(text.slice(0, 60))} is not a decimal number`);
  }
  const exponent = Number(match[4] ?? "0");
  if (Math.abs(exponent) > maxExponent) {
    throw new CtyError(
      `the number ${text.slice(0, 60)} is out of range: its exponent must be at most ${maxExponent}`,
    );
  }
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const before = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "";
  const after = point >= 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const integer = before.replace(/^0+/, "") || "0";
  const rest = after.slice(0, withoutZeros(after));
  const magnitude = rest === "" ? integer : `${integer}.${rest}`;
  return match[1] === "-" && magnitude !== "0" ? `-${magnitude}` : magnitude;
}

/** A number in the narrowest JavaScript type that represents it exactly. */
export type CtyNumber = number | bigint | Decimal;

const shortInteger = /^-?\d{1,15}$/;

/**
 * Parses a decimal number. Safe integers become a `number`, other integers a `bigint`. A fraction
 * becomes a `number` if JavaScript prints that number in the same way, otherwise a `Decimal`.
 *
 * @throws CtyError when the string is not a decimal number
 */
export function parseNumber(text: string): CtyNumber {
  // `+ 0` because "-0" must not become negative zero.
  if (shortInteger.test(text)) return Number(text) + 0;
  const plain = normalizeDecimal(text);
  if (!plain.includes(".")) return narrowInteger(BigInt(plain));
  const double = Number(plain);
  return numberText(double) === plain ? double : new Decimal(plain);
}

/** Converts a safe integer to a `number`. Keeps other integers. */
export function narrowInteger(value: bigint): number | bigint {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/** Converts a double to the number that is exactly its binary value. */
export function narrowDouble(value: number): CtyNumber {
  if (Number.isSafeInteger(value)) return value + 0;
  if (Number.isInteger(value)) return BigInt(value);
  if (!Number.isFinite(value) || isPrintedExactly(value)) return value;
  return new Decimal(exactText(value));
}

/** Formats a number in plain decimal notation. Equal numbers have equal strings. Must not be NaN. */
export function numberText(value: CtyNumber): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "number") return value.text;
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return String(value + 0);
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.includes("e") ? normalizeDecimal(text) : text;
}

/**
 * Returns the number that a decimal string represents, or a number unchanged.
 *
 * @throws CtyError for anything else, and for more digits than Terraform keeps
 */
export function decimalOf(value: unknown): CtyNumber {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value !== "string") throw new CtyError("expected a decimal number as a string");
  const plain = normalizeDecimal(value);
  const problem = decimalProblem(plain);
  if (problem !== undefined) throw new CtyError(`expected a number that ${problem}`);
  return parseNumber(plain);
}

/** Returns the number that a 64-bit integer represents. @throws CtyError for any other value */
export function int64Of(value: unknown): CtyNumber {
  const integer = Number.isSafeInteger(value) ? BigInt(value as number) : value;
  if (typeof integer === "bigint" && isInt64(integer)) return narrowInteger(integer);
  throw new CtyError("expected a 64-bit integer");
}

/** Returns an integer as a `bigint`, and any other number unchanged. */
export const int64From = (value: CtyNumber): CtyNumber =>
  typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;

/**
 * Checks whether the shortest decimal notation of a fraction is its exact value: true for 0.5, false for 0.1.
 * A double with n binary places has exactly n decimal places, so it is enough to count the decimal places.
 */
export function isPrintedExactly(fraction: number): boolean {
  const text = numberText(fraction);
  const places = text.length - 1 - text.indexOf(".");
  return places < 1000 && Number.isInteger(fraction * 2 ** places);
}

function exactText(fraction: number): string {
  let places = 0;
  let scaled = fraction;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    places += 1;
  }
  // fraction = scaled / 2^places = scaled * 5^places / 10^places
  return `${BigInt(scaled) * 5n ** BigInt(places)}e-${places}`;
}
