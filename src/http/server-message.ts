import { redact } from "../redaction/redactor";

const maxCharacters = 500;

/**
 * Prepares text from a server to be quoted in a message: one line, without control and formatting
 * characters, at most 500 characters, with the given secrets redacted.
 */
export function serverMessage(text: string, secrets: string | readonly string[] = []): string {
  const known = typeof secrets === "string" ? [secrets] : secrets;
  // Redacted first: cutting could leave half a secret.
  const redacted = redact(text, known).slice(0, 20 * maxCharacters);
  const line = redacted.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= maxCharacters) return line;
  return `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
