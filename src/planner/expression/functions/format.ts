import type { CtyNumber } from "../../../core/provider-kit/values";
import { decimalParts } from "../binary-float";
import { convert, lengthOf } from "../convert";
import type { TerraformFunction } from "../function";
import { exponentText, fixedText, generalText } from "../number-text";
import {
  EvaluationError,
  isNumber,
  NotComputed,
  terraformVersion,
  textOf,
  unknownFrom,
  Value,
} from "../value";
import { maxElements, numberOf, stringOf, stringParameter } from "./arguments";
import { graphemesOf } from "./characters";
import { jsonString, jsonText } from "./json";
import { isSequence as hasOrder } from "../types";

/** A verb of Go's `fmt`, with its flags and numbers. */
interface Verb {
  readonly flags: ReadonlySet<string>;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly index: number | undefined;
  readonly letter: string;
}

const form = /%([0#\-+ ]*)([1-9]\d*)?(?:\.(\d*))?(?:\[([1-9]\d*)\])?([A-Za-z])/y;

/** Larger widths and precisions are not computed. */
const maxWidth = 10_000;

function verbAt(text: string, at: number): { readonly verb: Verb; readonly end: number } {
  form.lastIndex = at;
  const match = form.exec(text);
  if (match === null) throw new EvaluationError("The format is invalid.");
  const [, flags = "", width, precision, index, letter = ""] = match;
  const verb = {
    flags: new Set(flags),
    width: width === undefined ? undefined : Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    index: index === undefined ? undefined : Number(index),
    letter,
  };
  if (Math.max(verb.width ?? 0, verb.precision ?? 0) > maxWidth) throw new NotComputed();
  return { verb, end: form.lastIndex };
}

/** Formats wholly known values like cty, which follows Go. */
function formatted(format: string, args: readonly Value[]): string {
  let result = "";
  let next = 1;
  let highest = 0;
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf("%", at);
    result += format.slice(at, percent === -1 ? undefined : percent);
    if (percent === -1) break;
    if (format.startsWith("%%", percent)) {
      result += "%";
      at = percent + 2;
      continue;
    }
    const { verb, end } = verbAt(format, percent);
    const index = verb.index ?? next;
    const argument = args[index - 1];
    if (argument === undefined) throw new EvaluationError("The format needs more arguments.");
    result += text(verb, argument);
    highest = Math.max(highest, index);
    next = index + 1;
    at = end;
  }
  if (highest < args.length) throw new EvaluationError("The format does not use all arguments.");
  return result;
}

function text(verb: Verb, argument: Value): string {
  const { letter } = verb;
  if (letter === "v") return padded(verb, plainText(verb, argument));
  if (argument.isNull) throw new NotComputed(terraformVersion);
  const isInteger = "bdoxX".includes(letter);
  if (isInteger || "eEfgG".includes(letter)) {
    const number = numberOf(convert(argument, "number"));
    return isInteger ? integer(verb, number) : float(verb, number);
  }
  if (letter === "t") return String(convert(argument, "bool").content === true);
  if (letter !== "s" && letter !== "q") {
    throw new EvaluationError(`The format has an unknown verb: ${letter}.`);
  }
  const whole = textOf(convert(argument, "string"));
  const { precision = 0 } = verb;
  const shown = precision > 0 ? graphemesOf(whole).slice(0, precision).join("") : whole;
  return padded(verb, letter === "q" ? jsonString(shown) : shown);
}

function plainText({ flags }: Verb, argument: Value): string {
  const { content } = argument;
  if (typeof content === "string" && !flags.has("#")) return content;
  if (isNumber(content) && !flags.has("#")) return generalText(content);
  return jsonText(argument);
}

function padded({ width, flags }: Verb, shown: string): string {
  if (width === undefined) return shown;
  const missing = Math.max(width - graphemesOf(shown).length, 0);
  const pad = (flags.has("0") ? "0" : " ").repeat(missing);
  return flags.has("-") ? shown + pad : pad + shown;
}

const isSequence = ({ type, isNull }: Value): boolean => !isNull && hasOrder(type);

/** The common length of the arguments that are lists; undefined if none is. */
function commonLength(args: readonly Value[]): number | undefined {
  const lengths = new Set(args.flatMap((each) => (isSequence(each) ? (lengthOf(each) ?? []) : [])));
  if (lengths.size > 1) throw new EvaluationError("The lists have different lengths.");
  return [...lengths][0];
}

const listOfStrings = { list: "string" } as const;

function formattedList(format: string, args: readonly Value[]): Value {
  const length = commonLength(args);
  const isOpen = (each: Value): boolean =>
    isSequence(each) ? !each.isKnown || lengthOf(each) === undefined : each.type === "dynamic";
  if (args.some((each) => isOpen(each) && !each.isNull)) return unknownFrom(listOfStrings, args);
  if ((length ?? 0) > maxElements) throw new NotComputed();
  const rows = Array.from({ length: length ?? 1 }, (_, row) =>
    args.flatMap((each) => (isSequence(each) ? (each.elements()[row] ?? []) : each)),
  );
  // After an unknown row, Terraform goes on with other elements.
  const firstOpen = rows.findIndex((row) => !row.every((each) => each.isWhollyKnown));
  return Value.list(
    "string",
    rows.map((row, at) =>
      firstOpen === -1 || at < firstOpen
        ? stringOf(formatted(format, row))
        : unknownFrom("string", rows.flat()),
    ),
  );
}

const args = { name: "args", type: "dynamic", allowsNull: true } as const;

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/format} */
export const formatFunctions: Readonly<Record<string, TerraformFunction>> = {
  format: {
    parameters: [stringParameter("format")],
    rest: { ...args, isWhollyKnown: true },
    returns: "string",
    call: ([format, ...values]) => stringOf(formatted(textOf(format), values)),
  },
  formatlist: {
    parameters: [stringParameter("format")],
    rest: { ...args, allowsUnknown: true },
    returns: listOfStrings,
    call: ([format, ...values]) => formattedList(textOf(format), values),
  },
};

function signOf({ flags }: Verb, isNegative: boolean): string {
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

function integer(form: Verb, value: CtyNumber): string {
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

function float(form: Verb, value: CtyNumber): string {
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

function floatText({ letter, precision }: Verb, value: CtyNumber): string {
  switch (letter.toLowerCase()) {
    case "e":
      return exponentText(value, precision ?? 6);
    case "f":
      return fixedText(value, precision ?? 6);
    default:
      return generalText(value, precision);
  }
}
