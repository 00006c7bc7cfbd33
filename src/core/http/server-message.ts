import { printableLine } from "../redaction/printable";
import { redact } from "../redaction/redactor";
import { withoutHalfEscape } from "../redaction/text-bytes";

const maxCharacters = 500;

/** More of a text is never looked at. Readers that cut a text let more than this pass. */
const maxLength = 20 * maxCharacters;

/**
 * Prepares text from a server to be quoted in a message: one line of at most 500 characters, with control
 * and formatting characters visible, and with the given secrets redacted.
 */
export function serverMessage(text: string, secrets: string | readonly string[] = []): string {
  const known = typeof secrets === "string" ? [secrets] : secrets;
  // Redacted first: cutting could leave half a secret.
  const redacted = redact(text, known, { isCut: text.length > maxLength });
  // With the mark of a cut, those who know more secrets recognise the half of one.
  const start =
    redacted.length > maxLength ? `${withoutHalfEscape(redacted.slice(0, maxLength))}…` : redacted;
  const characters = Array.from(printableLine(start));
  if (characters.length <= maxCharacters) return characters.join("");
  return `${withoutHalfEscape(characters.slice(0, maxCharacters - 1).join(""))}…`;
}
