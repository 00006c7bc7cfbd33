import { stripVTControlCharacters } from "node:util";

/**
 * Breaks a line at spaces. Words longer than the width, such as digests, are not broken. Colors take no room.
 *
 * @param hanging the beginning of each line after the first
 */
export function wrapped(text: string, width: number, hanging: string): readonly string[] {
  const lengthOf = (part: string): number => stripVTControlCharacters(part).length;
  if (lengthOf(text) <= width) return [text];
  const [, indent = "", content = ""] = /^( *)([^]*)$/.exec(text) ?? [];
  const [first = "", ...words] = content.split(" ");
  const lines: string[] = [];
  let line = indent + first;
  for (const word of words) {
    if (lengthOf(line) + 1 + word.length > width) {
      lines.push(line);
      line = hanging + word;
    } else line += ` ${word}`;
  }
  return [...lines, line];
}

/** The indentation of the rest of a broken line. */
const hanging = 4;

/** A narrower terminal, or one of unknown width, breaks lines itself. */
const minWidth = 40;

/** Returns the width of a terminal; undefined for anything else. */
export const widthOf = ({ isTTY, columns }: NodeJS.WriteStream): number | undefined =>
  isTTY && columns >= minWidth ? columns : undefined;

/** Breaks lines at spaces to fit into a width, and indents the rest of each. @param width undefined for no limit */
export function fitted(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .flatMap((line) => {
      const margin = line.search(/[^ ]|$/);
      return wrapped(line, width, " ".repeat(Math.min(margin + hanging, width / 2)));
    })
    .join("\n");
}
