import { Tokenization } from "cdktf";

/**
 * cdktf writes a number token as a double whose top 16 bits are 0xFDFF (a list of numbers: 0xFBFF)
 * and whose other bits count the tokens, hence as one of the largest negative numbers there are.
 */
const firstToken = -(2 ** 992) * 1.9375;
const oneToken = 2 ** 940;
const firstListToken = -(2 ** 960) * 1.9375;
const oneListToken = 2 ** 908;

const highest = 2 ** 48;

const isOneOf = (value: number, first: number, step: number): boolean =>
  value <= first && (first - value) / step < highest;

/** Whether a number is one that cdktf made to stand for a number. */
export function isNumberToken(value: number): boolean {
  if (!isOneOf(value, firstToken, oneToken)) return false;
  try {
    return Tokenization.reverseNumber(value) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a number is one that cdktf made to stand for a list of numbers. */
export function isNumberListElement(value: number): boolean {
  if (!isOneOf(value, firstListToken, oneListToken)) return false;
  try {
    return Tokenization.reverseNumberList([value]) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Whether a number is what became of a number token by arithmetic: a token times or divided by a
 * factor such as 2, 0.5 or 1000, a negated token, or the difference of two.
 *
 * `token + 1` equals the token and cannot be told apart from it.
 */
export function isCorruptNumberToken(value: number): boolean {
  const size = Math.abs(value);
  if (size < oneToken || size === Infinity || isNumberToken(value)) return false;
  const tokens = size / oneToken;
  if (tokens < 2 ** 32 && Number.isInteger(tokens)) return true;
  const factor = Math.abs(value / firstToken);
  return isPlain(factor) || isPlain(1 / factor);
}

/** A factor that somebody writes, up to what the count in the token's last bits adds to it. */
function isPlain(factor: number): boolean {
  const thousandths = factor * 1000;
  const nearest = Math.round(thousandths);
  return nearest > 0 && nearest <= 1e7 && Math.abs(thousandths - nearest) <= nearest * 1e-9;
}
