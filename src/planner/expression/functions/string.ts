import type { TerraformFunction } from "../function";
import { compareBytes } from "../equality";
import { EvaluationError, NotComputed, textOf, Value } from "../value";
import {
  indexOf,
  maxElements,
  maxLength,
  numberParameter,
  ofString,
  ofStrings,
  stringOf,
  stringParameter,
  stringsOf,
} from "./arguments";
import { formatFunctions } from "./format";
import { regexFunctions, replaceMatches } from "./regex";
import { graphemesOf, lowerCase, titleCase, upperCase } from "./characters";

const space = "\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const leadingSpace = new RegExp(`^[${space}]+`);
const onlySpace = new RegExp(`^[${space}]*$`);

/** A loop, because a pattern at the end of a text takes quadratic time. */
function withoutEnd(text: string, isDropped: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isDropped(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const trimSpace = (text: string): string =>
  withoutEnd(text.replace(leadingSpace, ""), (character) => onlySpace.test(character));

function trim(text: string, cutset: string): string {
  const cut = new Set(cutset);
  const characters = Array.from(text);
  const start = characters.findIndex((character) => !cut.has(character));
  const end = characters.findLastIndex((character) => !cut.has(character));
  return start === -1 ? "" : characters.slice(start, end + 1).join("");
}

function split(separator: string, text: string): readonly string[] {
  const parts = separator === "" ? Array.from(text) : text.split(separator);
  if (parts.length > maxElements) throw new NotComputed();
  return parts;
}

function substr(text: string, offset: number, length: number): string {
  if (offset >= 0 && length === 0) return "";
  const characters = graphemesOf(text);
  const start = offset < 0 ? Math.max(offset + characters.length, 0) : offset;
  // With a negative offset, Terraform takes the rest also for a length of 0.
  return characters.slice(start, length <= 0 ? undefined : start + length).join("");
}

function replace(text: string, search: string, replacement: string): string {
  if (search.length > 1 && search.startsWith("/") && search.endsWith("/")) {
    return replaceMatches(text, search.slice(1, -1), replacement);
  }
  const parts = search === "" ? ["", ...Array.from(text), ""] : text.split(search);
  return joined(parts, replacement);
}

function joined(parts: readonly string[], separator: string): string {
  if (parts.length * separator.length > maxLength) throw new NotComputed();
  return parts.join(separator);
}

function indent(spaces: number, text: string): string {
  if (spaces < 0) throw new EvaluationError("The number of spaces must not be negative.");
  if (spaces > 100_000) throw new NotComputed();
  return joined(text.split("\n"), `\n${" ".repeat(spaces)}`);
}

function textsIn(list: Value): readonly string[] {
  if (list.elements().some((element) => element.isNull)) {
    throw new EvaluationError("The list must not contain null.");
  }
  return list.elements().map(textOf);
}

/** A function that checks how a string relates to another one. */
const check = (second: string, holds: (text: string, other: string) => boolean) =>
  ofStrings(["str", second], "bool", (text = "", other = "") => Value.bool(holds(text, other)));

const ofText = (second: string, compute: (text: string, other: string) => string) =>
  ofStrings(["str", second], "string", (text = "", other = "") => stringOf(compute(text, other)));

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/chomp} and the following pages */
export const stringFunctions: Readonly<Record<string, TerraformFunction>> = {
  ...formatFunctions,
  ...regexFunctions,
  chomp: ofString("str", (text) => withoutEnd(text, (character) => /[\n\r]/.test(character))),
  endswith: check("suffix", (text, suffix) => text.endsWith(suffix)),
  indent: {
    parameters: [numberParameter("spaces"), stringParameter("str")],
    returns: "string",
    call: ([spaces, text]) => stringOf(indent(indexOf(spaces), textOf(text))),
  },
  join: {
    parameters: [stringParameter("separator")],
    rest: { name: "lists", type: { list: "string" }, isWhollyKnown: true },
    returns: "string",
    call: ([separator, ...lists]) => {
      if (lists.length === 0) throw new EvaluationError("At least one list is required.");
      return stringOf(joined(lists.flatMap(textsIn), textOf(separator)));
    },
  },
  lower: ofString("str", lowerCase),
  replace: ofStrings(["str", "substr", "replace"], "string", (text = "", search = "", other = "") =>
    stringOf(replace(text, search, other)),
  ),
  sort: {
    parameters: [{ name: "list", type: { list: "string" }, isWhollyKnown: true }],
    returns: { list: "string" },
    call: ([list = Value.null()]) => stringsOf(textsIn(list).toSorted(compareBytes)),
  },
  split: ofStrings(["separator", "str"], { list: "string" }, (separator = "", text = "") =>
    stringsOf(split(separator, text)),
  ),
  startswith: check("prefix", (text, prefix) => text.startsWith(prefix)),
  strcontains: check("substr", (text, part) => text.includes(part)),
  strrev: ofString("str", (text) => graphemesOf(text).toReversed().join("")),
  substr: {
    parameters: [stringParameter("str"), numberParameter("offset"), numberParameter("length")],
    returns: "string",
    call: ([text, offset, length]) =>
      stringOf(substr(textOf(text), indexOf(offset), indexOf(length))),
  },
  title: ofString("str", titleCase),
  trim: ofText("cutset", trim),
  trimprefix: ofText("prefix", (text, prefix) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  trimspace: ofString("str", trimSpace),
  trimsuffix: ofText("suffix", (text, suffix) =>
    text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text,
  ),
  upper: ofString("str", upperCase),
};
