import { Tokenization } from "cdktf";

/**
 * cdktf encodes a number token as a double whose top 16 bits are 0xFDFF (for a list of numbers: 0xFBFF)
 * and whose other bits count the tokens. The result is one of the largest negative numbers.
 */
const firstToken = -(2 ** 992) * 1.9375;
const oneToken = 2 ** 940;
const firstListToken = -(2 ** 960) * 1.9375;
const oneListToken = 2 ** 908;

const highest = 2 ** 48;

const isOneOf = (value: number, first: number, step: number): boolean =>
  value <= first && (first - value) / step < highest;

/** Checks whether a number is cdktf's encoding of a number token. */
export function isNumberToken(value: number): boolean {
  if (!isOneOf(value, firstToken, oneToken)) return false;
  try {
    return Tokenization.reverseNumber(value) !== undefined;
  } catch {
    return false;
  }
}

/** Checks whether a number is the element of cdktf's encoding of a list-of-numbers token. */
export function isNumberListElement(value: number): boolean {
  if (!isOneOf(value, firstListToken, oneListToken)) return false;
  try {
    return Tokenization.reverseNumberList([value]) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Checks whether a number is the result of arithmetic with a number token: a token multiplied or divided by a
 * factor such as 2, 0.5 or 1000, a negated token, or the difference of two.
 *
 * `token + 1` equals the token and cannot be detected.
 */
export function isCorruptNumberToken(value: number): boolean {
  const size = Math.abs(value);
  if (size < oneToken || size === Infinity || isNumberToken(value)) return false;
  const tokens = size / oneToken;
  if (tokens < 2 ** 32 && Number.isInteger(tokens)) return true;
  const factor = Math.abs(value / firstToken);
  return isPlain(factor) || isPlain(1 / factor);
}

/**
 * Checks whether a factor is a round number, apart from the deviation that the counter in the low bits
 * causes.
 */
function isPlain(factor: number): boolean {
  const thousandths = factor * 1000;
  const nearest = Math.round(thousandths);
  return nearest > 0 && nearest <= 1e7 && Math.abs(thousandths - nearest) <= nearest * 1e-9;
}
