import type { Cursor } from "./cursor";

const escapes = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["/", "/"],
  ["\\", "\\"],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

const digits = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/**
 * Reads a scalar in quotes, at its first quote.
 *
 * @param minIndent the spaces that the lines after the first must begin with
 * @see https://yaml.org/spec/1.2.2/#73-flow-scalar-styles
 */
export function quotedScalar(cursor: Cursor, minIndent: number): string {
  const quote = cursor.peek();
  const first = cursor.line;
  cursor.advance(1);
  const parts: string[] = [];
  const run = quote === '"' ? /[^"\\\n \t]+/y : /[^'\n \t]+/y;
  for (;;) {
    const text = cursor.take(run);
    if (text !== undefined) parts.push(text);
    const next = cursor.peek();
    if (next === quote) {
      cursor.advance(1);
      if (quote === '"' || cursor.peek() !== "'") break;
      cursor.advance(1);
      parts.push("'");
    } else if (next === "\\") {
      parts.push(escaped(cursor, minIndent));
    } else if (next === "") {
      throw cursor.problem(`is not YAML: the string that begins in line ${first} has no end`);
    } else {
      parts.push(space(cursor, minIndent));
    }
  }
  const value = parts.join("");
  if (!/[\ud800-\udfff]/u.test(value)) return value;
  throw cursor.problem("has an escape that is half of a character");
}

/** White space; a line break with the white space around it is one space, or a line break for each empty line. */
function space(cursor: Cursor, minIndent: number): string {
  const blanks = cursor.take(/[ \t]+/y) ?? "";
  return cursor.peek() === "\n" ? folded(cursor, minIndent) || " " : blanks;
}

/** The line breaks of empty lines; the position moves to the next text. */
function folded(cursor: Cursor, minIndent: number): string {
  let breaks = -1;
  while (cursor.peek() === "\n") {
    cursor.nextLine();
    if (cursor.isAtEnd) return "";
    breaks += 1;
    const indent = cursor.indentation();
    cursor.take(/[ \t]+/y);
    if (cursor.peek() !== "\n" && indent < minIndent) {
      throw cursor.problem("is not YAML: a string in quotes continues with less indentation");
    }
  }
  return "\n".repeat(breaks);
}

function escaped(cursor: Cursor, minIndent: number): string {
  const kind = cursor.peek(1);
  if (kind === "\n") {
    cursor.advance(1);
    const breaks = folded(cursor, minIndent);
    if (breaks === "") return "";
    throw cursor.problem(
      "has an empty line after \\ at the end of a line, which readers understand differently",
    );
  }
  const known = escapes.get(kind);
  if (known !== undefined) {
    cursor.advance(2);
    return known;
  }
  const count = digits.get(kind) ?? 0;
  const code = cursor.text.slice(cursor.at + 2, cursor.at + 2 + count);
  const point = Number.parseInt(code, 16);
  if (count === 0 || code.length < count || !/^[\da-f]+$/i.test(code) || point > 0x10ffff) {
    const text = JSON.stringify(`\\${kind}`);
    throw cursor.problem(`is not YAML: the escape ${text} in double quotes is not valid`);
  }
  cursor.advance(2 + count);
  return String.fromCodePoint(point);
}
