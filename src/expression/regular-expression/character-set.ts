import { NotComputed } from "../value";
import { maxCodePoint, type Range } from "./node";

const range = (text: string): Range => [text.charCodeAt(0), text.charCodeAt(text.length - 1)];

const digit = range("09");
const [upper, lower] = [range("AZ"), range("az")];
const letters = [upper, lower];
const word = [digit, upper, lower, range("_")];

/** The classes that have a letter, such as `\d`. They contain ASCII only. */
export const perlClasses: Readonly<Record<string, readonly Range[]>> = {
  d: [digit],
  s: [range("\t\n"), range("\f\r"), range(" ")],
  w: word,
};

/** The classes that have a name, such as `[:alpha:]`. */
export const posixClasses: Readonly<Record<string, readonly Range[]>> = {
  alnum: [digit, upper, lower],
  alpha: letters,
  ascii: [[0, 0x7f]],
  blank: [range("\t"), range(" ")],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: [digit],
  graph: [range("!~")],
  lower: [lower],
  print: [range(" ~")],
  punct: [range("!/"), range(":@"), range("[`"), range("{~")],
  space: [range("\t\r"), range(" ")],
  upper: [upper],
  word,
  xdigit: [digit, range("AF"), range("af")],
};

/** All code points that are in none of the ranges. */
export function complement(ranges: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  let from = 0;
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (low > from) found.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= maxCodePoint) found.push([from, maxCodePoint]);
  return found;
}

const overlap = (a: Range, b: Range): readonly Range[] => {
  const [low, high] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  return low > high ? [] : [[low, high]];
};

/**
 * Adds the letters that differ in case only.
 *
 * @throws NotComputed for other letters than those of ASCII
 */
export function folded(ranges: readonly Range[]): readonly Range[] {
  if (ranges.some(([, high]) => high > 0x7f)) throw new NotComputed();
  const shift = (from: Range, by: number): readonly Range[] =>
    ranges
      .flatMap((one) => overlap(one, from))
      .map(([low, high]) => [low + by, high + by] as const);
  const both = ranges.concat(shift(upper, 32), shift(lower, -32));
  const has = (letter: string): boolean =>
    both.some((one) => overlap(one, range(letter)).length > 0);
  // The long s, and the sign for kelvin.
  const more: Range[] = [];
  if (has("s")) more.push([0x17f, 0x17f]);
  if (has("k")) more.push([0x212a, 0x212a]);
  return both.concat(more);
}
