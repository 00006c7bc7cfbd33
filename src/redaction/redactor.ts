/** The placeholder for a redacted secret. */
export const redactedText = "***";

/** Shorter lines of a secret, such as a brace, occur in ordinary text. */
const minLineLength = 16;

/** The settings of a {@link Redactor}. */
export interface RedactorSettings {
  /** Shorter secrets are not redacted. @default 1 */
  readonly minLength?: number | undefined;
}

/** Removes secrets from text that is shown, logged or quoted. */
export class Redactor {
  readonly #minLength: number;
  readonly #forms = new Set<string>();
  #longestFirst: readonly string[] | undefined;

  constructor({ minLength = 1 }: RedactorSettings = {}) {
    this.#minLength = minLength;
  }

  /**
   * Adds a secret in all forms in which it may occur: as it is, its long lines, encoded for a URL,
   * and in JSON.
   */
  add(secret: string): void {
    if (secret.length < this.#minLength) return;
    const lines = secret.split(/\r?\n/);
    for (const part of [secret, ...(lines.length > 1 ? lines.filter(isLong) : [])]) {
      this.#forms.add(part);
      this.#forms.add(encodeURIComponent(part.replace(/\p{Surrogate}/gu, "")));
      this.#forms.add(JSON.stringify(part).slice(1, -1));
    }
    this.#forms.delete("");
    this.#longestFirst = undefined;
  }

  /** Returns the text with every secret replaced by `***`. */
  redact(text: string): string {
    // The longest first: replacing a shorter secret inside it would leave the rest readable.
    this.#longestFirst ??= [...this.#forms].sort((a, b) => b.length - a.length);
    let clean = text;
    for (const form of this.#longestFirst) clean = clean.replaceAll(form, redactedText);
    return clean;
  }
}

function isLong(line: string): boolean {
  return line.trim().length >= minLineLength;
}

/** Returns the text with each of these secrets replaced by `***`. */
export function redact(text: string, secrets: Iterable<string>): string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor.redact(text);
}
