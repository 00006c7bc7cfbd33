import type { CtyNumber } from "../../core/provider-kit/values";
import { compareNumbers, isInfinite } from "./arithmetic";
import { type Digits, digitsOf, roundedTo } from "./binary-float";

/** Formats a number like Go's verb `%f`, with a fixed number of decimal places. */
export const fixedText = (value: CtyNumber, places: number): string =>
  signed(value, () => {
    const digits = roundedTo(value, (exponent) => exponent + places);
    return fixed(digits, places);
  });

/** Formats a number like Go's verb `%e`, with a fixed number of decimal places. */
export const exponentText = (value: CtyNumber, places: number): string =>
  signed(value, () => {
    const digits = roundedTo(value, () => places + 1);
    return scientific(digits, places);
  });

/** Formats a number like Go's verb `%g`, with the given number of digits, or as many as needed. */
export const generalText = (value: CtyNumber, precision?: number): string =>
  signed(value, () => general(value, precision));

function signed(value: CtyNumber, magnitude: () => string): string {
  if (isInfinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const isNegative = compareNumbers(value, 0) < 0 || Object.is(value, -0);
  return `${isNegative ? "-" : ""}${magnitude()}`;
}

function general(value: CtyNumber, precision: number | undefined): string {
  const shown =
    precision === undefined ? digitsOf(value) : roundedTo(value, () => Math.max(precision, 1));
  const count = shown.digits.length;
  const limit = exponentLimit(shown, precision);
  const exponent = shown.exponent - 1;
  return exponent < -4 || exponent >= limit
    ? scientific(shown, Math.max(count, 1) - 1)
    : fixed(shown, Math.max(count - shown.exponent, 0));
}

/** The smallest exponent for which Go uses the scientific notation. */
function exponentLimit({ digits, exponent }: Digits, precision: number | undefined): number {
  if (precision === undefined) return 6;
  const isCompact = precision > digits.length && digits.length >= exponent;
  return isCompact ? digits.length : Math.max(precision, 1);
}

function fixed({ digits, exponent }: Digits, places: number): string {
  const whole = exponent > 0 ? digits.slice(0, exponent).padEnd(exponent, "0") : "0";
  if (places === 0) return whole;
  const fraction = exponent > 0 ? digits.slice(exponent) : "0".repeat(-exponent) + digits;
  return `${whole}.${fraction.padEnd(places, "0").slice(0, places)}`;
}

function scientific({ digits, exponent }: Digits, places: number): string {
  const power = digits === "" ? 0 : exponent - 1;
  const fraction = digits.slice(1).padEnd(places, "0");
  const point = places === 0 ? "" : `.${fraction}`;
  const magnitude = String(Math.abs(power)).padStart(2, "0");
  return `${digits.slice(0, 1) || "0"}${point}e${power < 0 ? "-" : "+"}${magnitude}`;
}
