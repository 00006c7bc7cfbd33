import type { Cursor } from "./cursor";

/**
 * Reads a scalar that begins with `|` or `>`, up to the beginning of the line after it.
 *
 * @param parentIndent the column of the collection that contains it; -1 for a whole document
 * @see https://yaml.org/spec/1.2.2/#81-block-scalar-styles
 */
export function blockScalar(cursor: Cursor, parentIndent: number): string {
  const header = cursor.take(/[|>](?:[1-9][-+]?|[-+][1-9]?)?(?=[ \n])/y);
  if (header === undefined) {
    throw cursor.problem("is not YAML: after | or > only a digit from 1 to 9, + and - are allowed");
  }
  cursor.endLine();
  const given = /\d/.exec(header)?.[0];
  const fixed = given === undefined ? undefined : Math.max(parentIndent, 0) + Number(given);
  const lines = linesOf(cursor, parentIndent, fixed);
  let end = lines.length;
  while (end > 0 && lines[end - 1] === "") end -= 1;
  const text = header.startsWith("|")
    ? lines.slice(0, end).join("\n")
    : folded(lines.slice(0, end));
  // Nothing ends the last line of a text without a line break at its end.
  if (cursor.isAtEnd && cursor.isCutOff && end === lines.length) return text;
  if (header.includes("+")) return end === 0 ? "\n".repeat(lines.length) : ended(text, lines, end);
  return header.includes("-") || end === 0 ? text : `${text}\n`;
}

const ended = (text: string, lines: readonly string[], end: number): string =>
  `${text}${"\n".repeat(lines.length - end + 1)}`;

function linesOf(cursor: Cursor, parentIndent: number, fixed: number | undefined): string[] {
  const lines: string[] = [];
  let indent = fixed;
  let longestEmpty = 0;
  while (!cursor.isAtEnd) {
    const spaces = cursor.indentation();
    if (cursor.peek(spaces) === "\n") {
      // The text ends with a line break of ours: what follows is no line.
      lines.push(indent !== undefined && spaces > indent ? " ".repeat(spaces - indent) : "");
      longestEmpty = Math.max(longestEmpty, spaces);
      cursor.advance(spaces);
      cursor.nextLine();
      continue;
    }
    if (indent === undefined && spaces > parentIndent) {
      if (longestEmpty > spaces) {
        throw cursor.problem("is not YAML: an empty line has more spaces than the text after it");
      }
      indent = spaces;
    }
    if (indent === undefined || spaces < indent) break;
    cursor.advance(indent);
    lines.push(cursor.take(/[^\n]*/y) ?? "");
    cursor.nextLine();
  }
  return lines;
}

/** Lines become one, except at empty lines and at lines that begin with white space. */
function folded(lines: readonly string[]): string {
  const parts: string[] = [];
  let empty = 0;
  let previous: string | undefined;
  for (const line of lines) {
    if (line === "") {
      empty += 1;
      continue;
    }
    const isKept = [previous ?? "", line].some((each) => /^[ \t]/.test(each));
    if (previous === undefined) parts.push("\n".repeat(empty));
    else if (isKept) parts.push("\n".repeat(empty + 1));
    else parts.push(empty === 0 ? " " : "\n".repeat(empty));
    parts.push(line);
    previous = line;
    empty = 0;
  }
  return parts.join("");
}
