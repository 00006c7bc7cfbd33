import { CtyError } from "./error";

/** Without this limit, a short string such as `1e999999999` would expand to a huge one. */
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
  const rest = trimTrailingZeros(after);
  const magnitude = rest === "" ? integer : `${integer}.${rest}`;
  return match[1] === "-" && magnitude !== "0" ? `-${magnitude}` : magnitude;
}

/** Uses a loop, because `/0+$/` takes quadratic time on long sequences of inner zeros. */
function trimTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}
