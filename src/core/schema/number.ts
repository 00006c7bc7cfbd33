/** Checks whether an integer fits into 64 bits. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** Checks whether an integer fits into 32 bits. */
export const isInt32 = (value: number | bigint): boolean => value >= -(2 ** 31) && value < 2 ** 31;

/** Returns the nearest number of a type; undefined if the value is out of range. */
export function nearest(
  { bits }: { readonly bits?: 32 | undefined },
  value: number,
): number | undefined {
  const near = bits === 32 ? Math.fround(value) : value;
  return Number.isFinite(near) && (near !== 0 || value === 0) ? near : undefined;
}

/** Terraform's numbers have 512 binary digits, which hold every number of up to 153 decimal ones. */
const bits = 512;
const safeDigits = 153;
/** No binary number needs more to differ from the next one. */
const mostDigits = 156;

const decimalForm = /^-?(\d+)(?:\.(\d+))?$/;

const notKept = "must have at most 153 digits, because Terraform rounds longer numbers";

/** Returns the problem with a decimal number in text; undefined if the number is valid. */
export function decimalProblem(text: string): string | undefined {
  const [, whole = "", fraction = ""] = decimalForm.exec(text) ?? [];
  if (whole === "") return "must be a decimal number such as 12.50";
  const written = whole + fraction;
  const end = withoutZeros(written);
  const digits = written.slice(0, end).replace(/^0+/, "");
  if (digits.length <= safeDigits) return undefined;
  return digits.length <= mostDigits && isKept(digits, whole.length - end) ? undefined : notKept;
}

/** Returns the problem with an integer; undefined if Terraform keeps it. */
export function integerProblem(value: bigint): string | undefined {
  const double = Number(value);
  if (Number.isFinite(double) && BigInt(double) === value) return undefined;
  return decimalProblem(value.toString()) === undefined ? undefined : notKept;
}

/**
 * Returns the number of digits without trailing zeros. Uses a loop, because `/0+$/` takes quadratic time on long
 * sequences of inner zeros.
 */
export function withoutZeros(digits: string): number {
  let count = digits.length;
  while (count > 0 && digits[count - 1] === "0") count -= 1;
  return count;
}

/** A fraction of whole numbers. */
type Ratio = readonly [over: bigint, under: bigint];

/** Checks whether a number is written with the digits with which Terraform writes its binary value. */
function isKept(digits: string, exponent: number): boolean {
  const value = binary(decimal(BigInt(digits), exponent));
  for (let cut = digits.length - safeDigits; cut >= 0; cut -= 1) {
    const [over, under] = decimal(1n, exponent + cut);
    const rounded = wholeOf([value[0] * under, value[1] * over]);
    const again = binary(decimal(rounded, exponent + cut));
    if (again[0] * value[1] === value[0] * again[1]) return cut === 0 && rounded === BigInt(digits);
  }
  return false;
}

const decimal = (digits: bigint, exponent: number): Ratio =>
  exponent < 0 ? [digits, 10n ** BigInt(-exponent)] : [digits * 10n ** BigInt(exponent), 1n];

/** Returns the nearest number with Terraform's number of binary digits. */
function binary([over, under]: Ratio): Ratio {
  const scale = BigInt(bits - over.toString(2).length + under.toString(2).length);
  for (const shift of [scale, scale - 1n]) {
    const factor = 2n ** (shift < 0n ? -shift : shift);
    const digits = wholeOf(shift < 0n ? [over, under * factor] : [over * factor, under]);
    // One digit too many if it has been rounded up to a power of two, which is exact as well.
    if (digits <= 2n ** BigInt(bits)) return shift < 0n ? [digits * factor, 1n] : [digits, factor];
  }
  throw new Error("a shift that is one less leaves one digit less");
}

/** Returns the nearest whole number, and the even one of two. */
function wholeOf([over, under]: Ratio): bigint {
  const floor = over / under;
  const rest = 2n * (over % under) - under;
  return rest > 0n || (rest === 0n && floor % 2n === 1n) ? floor + 1n : floor;
}
