/**
 * Characters that a terminal interprets, or that change what a reader sees: controls, bidi overrides,
 * invisible ones, halves of characters.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes visible the characters that a terminal would interpret, such as escape sequences and overrides of the
 * writing direction: `\u001b`. Line breaks and tabs are kept.
 */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unprintable, (character) =>
      character === "\n" || character === "\t" ? character : escaped(character),
    );
}

/** Like {@link printable}, but on one line: whitespace, including line breaks, becomes a single space. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim());
}

/**
 * Like `JSON.stringify`, but escapes the characters that a terminal interprets and JSON leaves unchanged. It is the
 * same value, in JSON and in JavaScript.
 */
export function printableJson(value: unknown, indentation?: number): string {
  const units = (character: string): string =>
    character === "\n" ? character : character.split("").map(escaped).join("");
  return JSON.stringify(value, undefined, indentation).replace(unprintable, units);
}

function escaped(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
