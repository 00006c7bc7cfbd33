/** Checks whether an integer fits into 64 bits. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/**
 * Terraform calculates with 512 bits, which hold every number of up to 153 digits, but not all longer ones.
 */
const maxDigits = 153;

const decimalForm = /^-?(\d+)(?:\.(\d+))?$/;

/** Returns the problem with a decimal number in text; undefined if the number is valid. */
export function decimalProblem(text: string): string | undefined {
  const [, whole = "", fraction = ""] = decimalForm.exec(text) ?? [];
  if (whole === "") return "must be a decimal number such as 12.50";
  const digits = (whole + fraction).replace(/^0+/, "");
  // Zeros at the end of an integer are no digits that Terraform could lose.
  const count = fraction === "" ? withoutZeros(digits) : digits.length;
  return count <= maxDigits
    ? undefined
    : `must have at most ${maxDigits} digits, which is what Terraform keeps`;
}

/** Uses a loop, because `/0+$/` takes quadratic time on long sequences of inner zeros. */
function withoutZeros(digits: string): number {
  let count = digits.length;
  while (count > 0 && digits[count - 1] === "0") count -= 1;
  return count;
}
