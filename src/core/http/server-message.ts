import { printableLine } from "../redaction/printable";
import { redact } from "../redaction/redactor";
import { withoutHalfEscape } from "../redaction/text-bytes";

const maxCharacters = 500;

/** The longest part of a message that is searched. Callers that cut their text keep more than this. */
const maxLength = 20 * maxCharacters;

/**
 * Prepares text from a server to be quoted in a message: one line of at most 500 characters, with control
 * and formatting characters visible, and with the given secrets redacted.
 */
export function serverMessage(text: string, secrets: string | readonly string[] = []): string {
  const known = typeof secrets === "string" ? [secrets] : secrets;
  // Redacted first: cutting could leave half a secret.
  const redacted = redact(text, known, { isCut: text.length > maxLength });
  // The mark of a cut lets callers that know more secrets recognise half a secret.
  const start =
    redacted.length > maxLength ? `${withoutHalfEscape(redacted.slice(0, maxLength))}…` : redacted;
  const characters = Array.from(printableLine(start));
  if (characters.length <= maxCharacters) return characters.join("");
  return `${withoutHalfEscape(characters.slice(0, maxCharacters - 1).join(""))}…`;
}
