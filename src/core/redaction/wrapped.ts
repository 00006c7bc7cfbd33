import { stripVTControlCharacters } from "node:util";

/**
 * Breaks a line at spaces. Words that are longer than the width, such as digests, are not broken. Colors take no room.
 *
 * @param hanging begins each line after the first one
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

/** How far the rest of a line that is broken is indented. */
const hanging = 4;

/** A narrower terminal, or one of unknown width, breaks lines itself. */
const minWidth = 40;

/** Returns the width of a terminal; undefined for anything else. */
export const widthOf = ({ isTTY, columns }: NodeJS.WriteStream): number | undefined =>
  isTTY && columns >= minWidth ? columns : undefined;

/**
 * Breaks lines at spaces, so that they fit into a width. The rest of each is indented further than its beginning.
 *
 * @param width undefined if there is no limit, as in a file
 */
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
