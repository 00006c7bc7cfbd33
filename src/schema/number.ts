/** Whether an integer has at most 64 bits. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** Terraform calculates with 512 bits, which keep all numbers of so many digits, but not all longer ones. */
const maxDigits = 153;

const decimalForm = /^-?(\d+)(?:\.(\d+))?$/;

/** What is wrong with a decimal number as text; undefined if nothing. */
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

/** A loop, because `/0+$/` takes quadratic time on long sequences of inner zeros. */
function withoutZeros(digits: string): number {
  let count = digits.length;
  while (count > 0 && digits[count - 1] === "0") count -= 1;
  return count;
}
