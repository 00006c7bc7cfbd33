/** What stands where a secret stood. */
export const REDACTED = "***";

/** Shorter lines of a secret, such as a brace, would tear holes into every message. */
const minLineLength = 16;

export interface RedactorSettings {
  /** Shorter secrets are left where they are. @default 1 */
  readonly minLength?: number | undefined;
}

/** Keeps secrets out of text that is shown, logged or quoted. */
export class Redactor {
  readonly #minLength: number;
  readonly #forms = new Set<string>();
  #longestFirst: readonly string[] | undefined;

  constructor({ minLength = 1 }: RedactorSettings = {}) {
    this.#minLength = minLength;
  }

  /** Remembers a secret in the forms in which it may turn up: as it is, its long lines, in a URL, in JSON. */
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

  /** The text with `***` for every secret. */
  redact(text: string): string {
    // The longest first: a short one inside it would leave the rest of it readable.
    this.#longestFirst ??= [...this.#forms].sort((a, b) => b.length - a.length);
    let clean = text;
    for (const form of this.#longestFirst) clean = clean.replaceAll(form, REDACTED);
    return clean;
  }
}

function isLong(line: string): boolean {
  return line.trim().length >= minLineLength;
}

/** The text with `***` for each of these secrets. */
export function redact(text: string, secrets: Iterable<string>): string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor.redact(text);
}
