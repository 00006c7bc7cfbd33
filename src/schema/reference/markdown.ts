/** Escapes what Markdown would read as HTML, outside of code. */
export function escapeHtml(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;")))
    .join("");
}

/** A list with one item for each text; empty without any. */
export const bullets = (texts: readonly string[]): string =>
  texts.map((text) => `- ${text}`).join("\n");

/** Names in code, separated by commas. */
export const codes = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(", ");

/** A fence with code in a language. */
export const fence = (language: string, code: string): string =>
  ["```" + language, code.trimEnd(), "```"].join("\n");

/** The first sentence of a text. */
export const firstSentence = (text: string): string => text.split(/(?<=\.)\s+(?=[A-Z])/)[0] ?? text;
