import type { CtyNumber } from "../../../core/provider-kit/values";
import { decimalParts } from "../binary-float";
import { exponentText, fixedText, generalText } from "../number-text";
import { EvaluationError } from "../value";

/** How Go formats a number: `%`, flags, width, precision and the letter of a verb. */
export interface NumberForm {
  readonly flags: ReadonlySet<string>;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly letter: string;
}

/** Formats a number as Go's `fmt` does. */
export function goNumber(form: NumberForm, value: CtyNumber): string {
  return "bdoxX".includes(form.letter) ? integer(form, value) : float(form, value);
}

function signOf({ flags }: NumberForm, isNegative: boolean): string {
  if (isNegative) return "-";
  if (flags.has("+")) return "+";
  return flags.has(" ") ? " " : "";
}

const bases: Readonly<Record<string, readonly [number, string]>> = {
  b: [2, "0b"],
  d: [10, ""],
  o: [8, "0"],
  x: [16, "0x"],
  X: [16, "0X"],
};

function integer(form: NumberForm, value: CtyNumber): string {
  const { flags, width = 0, precision, letter } = form;
  const { digits, places } = decimalParts(value);
  if (places > 0) throw new EvaluationError("An integer is required.");
  const [base, mark] = bases[letter] ?? [10, ""];
  const magnitude = (digits < 0n ? -digits : digits).toString(base);
  if (precision === 0 && digits === 0n) return "";
  const lead = signOf(form, digits < 0n) + (flags.has("#") ? mark : "");
  const shown = (letter === "X" ? magnitude.toUpperCase() : magnitude).padStart(
    precision ?? 0,
    "0",
  );
  if (flags.has("-")) return (lead + shown).padEnd(width);
  if (flags.has("0") && precision === undefined) {
    return lead + shown.padStart(width - lead.length, "0");
  }
  return (lead + shown).padStart(width);
}

function float(form: NumberForm, value: CtyNumber): string {
  const { flags, width = 0, letter } = form;
  const shown = floatText(form, value);
  const magnitude = shown.startsWith("-") ? shown.slice(1) : shown;
  const digits = letter === letter.toUpperCase() ? magnitude.toUpperCase() : magnitude;
  const sign = signOf(form, shown.startsWith("-"));
  if (flags.has("-")) return (sign + digits).padEnd(width);
  return flags.has("0")
    ? sign + digits.padStart(width - sign.length, "0")
    : (sign + digits).padStart(width);
}

function floatText({ letter, precision }: NumberForm, value: CtyNumber): string {
  switch (letter.toLowerCase()) {
    case "e":
      return exponentText(value, precision ?? 6);
    case "f":
      return fixedText(value, precision ?? 6);
    default:
      return generalText(value, precision);
  }
}
