const maxCharacters = 500;

/**
 * Makes text of another party fit to be quoted: one line, no control or formatting characters, at
 * most 500 characters, the given secret blotted out.
 */
export function serverWords(text: string, secret?: string): string {
  const redacted = secret === undefined || secret === "" ? text : text.replaceAll(secret, "***");
  const line = redacted
    .slice(0, 20 * maxCharacters)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = Array.from(line);
  if (characters.length <= maxCharacters) return line;
  return `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
