import type { CtyType } from "../../provider-kit/values";
import type { TerraformFunction } from "../function";
import { Matcher, type Slots } from "../regular-expression/match";
import type { Pattern } from "../regular-expression/node";
import { parsePattern } from "../regular-expression/parse";
import { EvaluationError, Value } from "../value";
import { stringOf, stringParameter, textOf } from "./arguments";

type Points = readonly number[];

const pointsOf = (text: string): Points =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);

function textBetween(points: Points, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCodePoint(points[at] ?? 0);
  return text;
}

/** The matches from left to right. As in Go, nothing is found directly after another match. */
function* matchesOf(pattern: Pattern, points: Points): Generator<Slots> {
  const matcher = new Matcher(pattern.node);
  let previous = -1;
  for (let at = 0; at <= points.length;) {
    const match = matcher.find(points, at);
    if (match === undefined) return;
    const [begin = 0, end = 0] = match;
    if (end > at || begin !== previous) yield match;
    previous = end;
    at = end > at ? end : at + 1;
  }
}

/** Replaces all matches. In the replacement, `$1` and `${name}` stand for groups. */
export function replaceMatches(text: string, expression: string, replacement: string): string {
  const pattern = parsePattern(expression);
  const points = pointsOf(text);
  let result = "";
  let from = 0;
  for (const match of matchesOf(pattern, points)) {
    const [begin = 0, end = 0] = match;
    result += textBetween(points, from, begin) + expanded(replacement, pattern, match, points);
    from = end;
  }
  return result + textBetween(points, from, points.length);
}

/** As Go does, a name is as long as possible: `$1x` is the group `1x`. */
const expanded = (template: string, { names }: Pattern, match: Slots, points: Points): string =>
  template.replace(
    /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
    (_all, bare?: string, braced?: string) => {
      const name = bare ?? braced;
      if (name === undefined) return "$";
      const index = /^(?:0|[1-9]\d{0,7})$/.test(name) ? Number(name) : names.indexOf(name) + 1;
      const isGroup = /^\d+$/.test(name) ? index <= names.length : index > 0;
      return isGroup ? (groupText(match, index, points) ?? "") : "";
    },
  );

function groupText(match: Slots, index: number, points: Points): string | undefined {
  const [begin, end] = [match[2 * index], match[2 * index + 1]];
  return begin === undefined || end === undefined ? undefined : textBetween(points, begin, end);
}

const isNamed = ({ names }: Pattern): boolean => names.some((name) => name !== "");

/** The type of a match: a string, or the groups in a tuple, or in an object if they have names. */
function typeOf(pattern: Pattern): CtyType {
  const { names } = pattern;
  if (names.length === 0) return "string";
  if (!isNamed(pattern)) return { tuple: names.map(() => "string") };
  if (names.includes("")) {
    throw new EvaluationError("Groups with and without names must not be mixed.");
  }
  return { object: names.map((name) => ({ wire: name, name, type: "string" })) };
}

function valueOf(pattern: Pattern, match: Slots, points: Points): Value {
  if (pattern.names.length === 0) return stringOf(groupText(match, 0, points) ?? "");
  const groups = pattern.names.map((name, at) => {
    const text = groupText(match, at + 1, points);
    return [name, text === undefined ? Value.null("string") : stringOf(text)] as const;
  });
  return isNamed(pattern)
    ? Value.object(new Map(groups))
    : Value.tuple(groups.map(([, value]) => value));
}

/** The type of a match if the pattern is known. */
const typeFrom = (pattern: Value | undefined): CtyType =>
  pattern?.isKnown === true ? typeOf(parsePattern(textOf(pattern))) : "dynamic";

const parameters = [stringParameter("pattern"), stringParameter("string")];

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/regex} */
export const regexFunctions: Readonly<Record<string, TerraformFunction>> = {
  regex: {
    parameters,
    returns: ([pattern]) => typeFrom(pattern),
    call: ([expression, text]) => {
      const pattern = parsePattern(textOf(expression));
      typeOf(pattern);
      const points = pointsOf(textOf(text));
      for (const match of matchesOf(pattern, points)) return valueOf(pattern, match, points);
      throw new EvaluationError("The regular expression matches no part of the string.");
    },
  },
  regexall: {
    parameters,
    returns: ([pattern]) => ({ list: typeFrom(pattern) }),
    call: ([expression, text]) => {
      const pattern = parsePattern(textOf(expression));
      const points = pointsOf(textOf(text));
      return Value.list(
        typeOf(pattern),
        [...matchesOf(pattern, points)].map((match) => valueOf(pattern, match, points)),
      );
    },
  },
};
