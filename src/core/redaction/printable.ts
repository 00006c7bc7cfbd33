/** Characters that a terminal interprets, or that mislead a reader: controls, bidi overrides, invisible characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes characters visible that a terminal would interpret, such as escape sequences and overrides of the writing
 * direction: `\u001b`. Line breaks and tabs are kept.
 */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unprintable, (character) =>
      character === "\n" || character === "\t" ? character : escaped(character),
    );
}

/** Like {@link printable}, but on one line: whitespace becomes a single space. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim());
}

/** Like `JSON.stringify`, but also escapes characters that a terminal interprets. The value stays the same. */
export function printableJson(value: unknown, indentation?: number): string {
  const units = (character: string): string =>
    character === "\n" ? character : character.split("").map(escaped).join("");
  return JSON.stringify(value, undefined, indentation).replace(unprintable, units);
}

function escaped(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
