import {
  CtyError,
  type CtyNumber,
  narrowInteger,
  numberText,
  parseNumber,
} from "../../core/provider-kit/values";
import { spend } from "./budget";
import { NotComputed } from "./value";

/** A number in Terraform's arithmetic: `mantissa` × 2^`exponent`, with at most 512 significant bits. */
export interface BinaryFloat {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const precision = 512;

/** The steps that an operation with such a number takes. */
const stepsOfNumber = 100;

/** Returns the binary number that is nearest to a decimal one, as Terraform reads it. */
export function binaryOf(value: CtyNumber): BinaryFloat {
  const { digits, places } = decimalParts(value);
  return quotient(digits, 10n ** BigInt(places));
}

/** A number as `digits` × 10^-`places`. */
interface DecimalParts {
  readonly digits: bigint;
  readonly places: number;
}

export function decimalParts(value: CtyNumber): DecimalParts {
  if (typeof value === "bigint") return { digits: value, places: 0 };
  const text = numberText(value);
  spend(text.length >>> 3);
  const point = text.indexOf(".");
  if (point === -1) return { digits: BigInt(text), places: 0 };
  const fraction = text.slice(point + 1);
  return { digits: BigInt(text.slice(0, point) + fraction), places: fraction.length };
}

function bitsOf(value: bigint): number {
  const digits = value.toString(16);
  return 4 * digits.length - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Divides, and rounds to the nearest number with 512 bits, with ties to even. */
export function quotient(numerator: bigint, denominator: bigint): BinaryFloat {
  spend(stepsOfNumber);
  if (numerator === 0n) return { mantissa: 0n, exponent: 0 };
  const isNegative = numerator < 0n !== denominator < 0n;
  const [dividend, divisor] = [absolute(numerator), absolute(denominator)];
  const shift = precision + 2 - bitsOf(dividend) + bitsOf(divisor);
  const [above, below] =
    shift > 0 ? [dividend << BigInt(shift), divisor] : [dividend, divisor << BigInt(-shift)];
  // The last bit stands for all further ones.
  const isRounded = above % below !== 0n;
  const whole = ((above / below) << 1n) | (isRounded ? 1n : 0n);
  const { mantissa, exponent } = nearest({ mantissa: whole, exponent: -shift - 1 });
  return { mantissa: isNegative ? -mantissa : mantissa, exponent };
}

/** Rounds to 512 bits, with ties to even. */
export function nearest({ mantissa, exponent }: BinaryFloat): BinaryFloat {
  const magnitude = absolute(mantissa);
  const excess = bitsOf(magnitude) - precision;
  if (excess <= 0) return { mantissa, exponent };
  const drop = BigInt(excess);
  const rest = magnitude & ((1n << drop) - 1n);
  const half = 1n << (drop - 1n);
  const kept = magnitude >> drop;
  const isUp = rest > half || (rest === half && (kept & 1n) === 1n);
  const rounded = isUp ? kept + 1n : kept;
  return { mantissa: mantissa < 0n ? -rounded : rounded, exponent: exponent + excess };
}

/** The significant digits of 0.`digits` × 10^`exponent`, without zeros at either end. */
export interface Digits {
  readonly digits: string;
  readonly exponent: number;
}

function exactDigits({ mantissa, exponent }: BinaryFloat): Digits {
  const magnitude = absolute(mantissa);
  if (magnitude === 0n) return { digits: "", exponent: 0 };
  spend(stepsOfNumber + Math.abs(exponent));
  const scaled =
    exponent >= 0 ? magnitude << BigInt(exponent) : magnitude * 5n ** BigInt(-exponent);
  const text = scaled.toString();
  return { digits: withoutZeros(text), exponent: text.length + Math.min(exponent, 0) };
}

/** Rounds to a number of digits, with ties to even. */
function roundedDigits({ digits, exponent }: Digits, count: number): Digits {
  if (count < 0) return { digits: "", exponent: 0 };
  if (count >= digits.length) return { digits, exponent };
  const next = digits.charCodeAt(count) - 0x30;
  const isHalf = next === 5 && count + 1 === digits.length;
  const isOdd = count > 0 && (digits.charCodeAt(count - 1) & 1) === 1;
  return cut({ digits, exponent }, count, isHalf ? isOdd : next >= 5);
}

function cut({ digits, exponent }: Digits, count: number, isUp: boolean): Digits {
  const kept = digits.slice(0, count);
  if (!isUp) {
    const trimmed = withoutZeros(kept);
    return { digits: trimmed, exponent: trimmed === "" ? 0 : exponent };
  }
  const raised = (BigInt(kept === "" ? "0" : kept) + 1n).toString().padStart(count, "0");
  return {
    digits: withoutZeros(raised),
    exponent: exponent + Math.max(raised.length - count, 0),
  };
}

/** Returns the fewest digits that identify a number of 512 bits. */
function shortestDigits(value: BinaryFloat): Digits {
  const exact = exactDigits(value);
  if (exact.digits === "") return exact;
  const magnitude = absolute(value.mantissa);
  // With one more bit, the last one is half a unit.
  const shift = precision + 1 - bitsOf(magnitude);
  const mantissa = magnitude << BigInt(shift);
  const exponent = value.exponent - shift;
  const lower = exactDigits({ mantissa: mantissa - 1n, exponent }).digits;
  const upper = exactDigits({ mantissa: mantissa + 1n, exponent }).digits;
  const isInclusive = (mantissa & 2n) === 0n;
  const at = (text: string, index: number): number =>
    index < text.length ? text.charCodeAt(index) - 0x30 : 0;
  for (let index = 0; index < exact.digits.length; index++) {
    const [low, own, high] = [at(lower, index), at(exact.digits, index), at(upper, index)];
    const isDown = low !== own || (isInclusive && index + 1 === lower.length);
    const isUp = own !== high && (isInclusive || own + 1 < high || index + 1 < upper.length);
    if (isDown && isUp) return roundedDigits(exact, index + 1);
    if (isDown || isUp) return cut(exact, index + 1, isUp);
  }
  return exact;
}

/** A decimal number with at most so many digits is the shortest form of its binary number. */
const certainDigits = 150;

const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads a decimal number, with as many digits as Terraform keeps.
 *
 * @throws CtyError when the text is not a number
 * @throws NotComputed when it has too many digits
 */
export function readNumber(text: string): CtyNumber {
  if (/^[+-]?[iI]nf$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  try {
    const number = parseNumber(text);
    if (number === 0) return text.startsWith("-") ? -0 : 0;
    return text.length > certainDigits ? decimalOf(binaryOf(number)) : number;
  } catch (error) {
    // Terraform supports larger exponents than the protocol.
    if (error instanceof CtyError && numberForm.test(text)) throw new NotComputed();
    throw error;
  }
}

/** Longer numbers are not written out. The protocol refuses them, too. */
const maxPoint = 10_000;

/**
 * Returns the decimal number that Terraform prints for a binary one.
 *
 * @param exact the number before it was rounded, if it is known
 * @throws NotComputed when it has too many digits
 */
export function decimalOf(value: BinaryFloat, exact?: DecimalParts): CtyNumber {
  const { mantissa, exponent } = value;
  if (exponent >= 0 && bitsOf(absolute(mantissa)) + exponent <= precision) {
    return narrowInteger(mantissa << BigInt(exponent));
  }
  if (Math.abs(exponent) > 4 * maxPoint) throw new NotComputed();
  if (exact !== undefined) {
    const digits = withoutZeros(absolute(exact.digits).toString());
    // Digits this short are Terraform's form if they round to the same binary number.
    if (
      digits.length <= certainDigits &&
      isSame(value, quotient(exact.digits, 10n ** BigInt(exact.places)))
    ) {
      return written(exact.digits.toString(), -exact.places);
    }
  }
  const { digits, exponent: point } = shortestDigits(value);
  return written(
    `${mantissa < 0n ? "-" : ""}${digits === "" ? "0" : digits}`,
    point - digits.length,
  );
}

function written(digits: string, exponent: number): CtyNumber {
  if (Math.abs(exponent + digits.length) > maxPoint) throw new NotComputed();
  return parseNumber(`${digits}e${exponent}`);
}

/** Checks whether two numbers are equal, also with different exponents. */
function isSame(a: BinaryFloat, b: BinaryFloat): boolean {
  const shift = a.exponent - b.exponent;
  return shift >= 0
    ? a.mantissa << BigInt(shift) === b.mantissa
    : a.mantissa === b.mantissa << BigInt(-shift);
}

/** A loop, because a pattern for zeros at the end takes quadratic time. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}

/**
 * Rounds a number to a number of digits, as Go does with the binary number. The decimal text is so close to it that
 * only a tie needs all digits.
 *
 * @param countOf returns the number of digits for the exponent
 */
export function roundedTo(value: CtyNumber, countOf: (exponent: number) => number): Digits {
  const shown = digitsOf(value);
  const count = countOf(shown.exponent);
  if (
    count >= shown.digits.length &&
    shown.digits.length < certainDigits &&
    (count < certainDigits || isExact(value))
  ) {
    return shown;
  }
  const isTie = shown.digits.length === count + 1 && shown.digits.endsWith("5");
  const isClose = count < certainDigits && !(isTie && !isExact(value));
  if (isClose) return roundedDigits(shown, count);
  const exact = exactDigits(binaryOf(value));
  return roundedDigits(exact, countOf(exact.exponent));
}

/** Checks whether the decimal text is exactly the binary number. */
const isExact = (value: CtyNumber): boolean => {
  const { digits, places } = decimalParts(value);
  const isShort = absolute(digits).toString().length <= certainDigits;
  return isShort && digits % 5n ** BigInt(places) === 0n;
};

export function digitsOf(value: CtyNumber): Digits {
  const { digits, places } = decimalParts(value);
  if (digits === 0n) return { digits: "", exponent: 0 };
  const text = absolute(digits).toString();
  return { digits: withoutZeros(text), exponent: text.length - places };
}
