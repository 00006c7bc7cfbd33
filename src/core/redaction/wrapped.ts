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
