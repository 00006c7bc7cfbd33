import { convert, lengthOf } from "../convert";
import type { TerraformFunction } from "../function";
import { generalText } from "../number-text";
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
import { isSequence as hasOrder } from "./collection-types";
import { goNumber, type NumberForm } from "./go-number";
import { graphemesOf } from "./characters";
import { jsonString, jsonText } from "./json";

/** A verb with what stands between it and the percent sign. */
interface Verb extends NumberForm {
  readonly index: number | undefined;
}

const form = /%([0#\-+ ]*)([1-9]\d*)?(?:\.(\d*))?(?:\[([1-9]\d*)\])?([A-Za-z])/y;

const numberVerbs = "bdoxXeEfgG";

/** Widths and precisions beyond this one are not computed. */
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

/** Formats values that are wholly known, as cty does, which follows Go. */
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
    if (argument === undefined) throw new EvaluationError("The format has too few arguments.");
    result += text(verb, argument);
    highest = Math.max(highest, index);
    next = index + 1;
    at = end;
  }
  if (highest < args.length) throw new EvaluationError("The format has too many arguments.");
  return result;
}

function text(verb: Verb, argument: Value): string {
  const { letter } = verb;
  if (letter === "v") return padded(verb, plainText(verb, argument));
  if (argument.isNull) throw new NotComputed(terraformVersion);
  if (numberVerbs.includes(letter)) return goNumber(verb, numberOf(convert(argument, "number")));
  if (letter === "t") return String(convert(argument, "bool").content === true);
  if (letter !== "s" && letter !== "q") {
    throw new EvaluationError(`The format has the unknown verb ${letter}.`);
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

/** The common length of all arguments that are lists; undefined if none is. */
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
  // After a row that is not known, Terraform goes on with other elements until all are known.
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
