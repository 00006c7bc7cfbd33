import { SecretSearch, type Span } from "./secret-search";
import {
  bytesOf,
  jsonUnescaped,
  type TextBytes,
  urlUnescaped,
  utf8Of,
  withoutHalfEscape,
} from "./text-bytes";

/** The placeholder for a redacted secret. */
export const redactedText = "***";

/** Shorter lines of a secret, such as a brace, occur in ordinary text. */
const minLineLength = 16;

interface RedactorSettings {
  /** Shorter secrets are not redacted. @default 1 */
  readonly minLength?: number | undefined;
}

/** The settings of {@link Redactor.redact}. */
interface RedactionSettings {
  /**
   * True if the text may have been cut at its end. Then the beginning of a secret is redacted there too.
   *
   * @default false
   */
  readonly isCut?: boolean | undefined;
}

/** Removes secrets from text that is shown, logged or quoted. */
export class Redactor {
  readonly #minLength: number;
  readonly #secrets = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #search = new SecretSearch();

  constructor({ minLength = 1 }: RedactorSettings = {}) {
    this.#minLength = minLength;
  }

  /**
   * Adds a secret. It is recognised as it is, by its long lines, in base64, and with the escapes of JSON,
   * of URLs and of forms.
   */
  add(secret: string): void {
    if (secret === "" || secret.length < this.#minLength || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#waiting.add(secret);
  }

  /**
   * Returns the text with every secret replaced by `***`, and likewise the beginning of a secret before "…".
   * The time is proportional to the length of the text.
   */
  redact(text: string, { isCut = false }: RedactionSettings = {}): string {
    if (this.#secrets.size === 0) return text;
    // Prepared late: most processes show no text.
    for (const secret of this.#waiting) {
      for (const form of formsOf(secret)) this.#search.add(form);
    }
    this.#waiting.clear();
    const whole = isCut ? withoutHalfEscape(text) : text;
    const spans = readings(bytesOf(whole)).flatMap(({ bytes, starts, ends }) =>
      this.#search.find(bytes, isCut).map(({ start, end }) => ({
        start: starts[start] ?? 0,
        end: ends[end - 1] ?? 0,
      })),
    );
    return replaced(whole, spans);
  }
}

/** Escapes inside escapes are removed this many times. */
const maxEscapes = 3;

/**
 * Returns a text as it is written, and as it reads without its escapes, removed in any order of their kinds.
 */
function readings(text: TextBytes, escapes = maxEscapes): readonly TextBytes[] {
  if (escapes === 0) return [text];
  const clean = [jsonUnescaped(text), urlUnescaped(text)].filter((each) => each !== undefined);
  return [text, ...clean.flatMap((each) => readings(each, escapes - 1))];
}

function formsOf(secret: string): readonly (readonly number[])[] {
  const lines = secret.split(/\r?\n/);
  const parts = [secret, ...(lines.length > 1 ? lines.filter(isLong) : []), ...base64Forms(secret)];
  const forms = parts.map((part) => bytesOf(part).bytes);
  // In a URL, two surrogates are one character.
  return /[\ud800-\udfff]/.test(secret) ? [...forms, utf8Of(secret).bytes] : forms;
}

function isLong(line: string): boolean {
  return line.trim().length >= minLineLength;
}

/** Replaces the parts of a text. Parts that overlap are replaced as one. */
function replaced(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let shown = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= shown) continue;
    if (start >= shown) pieces.push(text.slice(shown, start), redactedText);
    shown = end;
  }
  return pieces.join("") + text.slice(shown);
}

/** Returns the text with each of these secrets replaced by `***`. */
export function redact(
  text: string,
  secrets: Iterable<string>,
  settings: RedactionSettings = {},
): string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor.redact(text, settings);
}

/** Shorter pieces of base64 occur in ordinary text. */
const minLength = 5;

/**
 * Returns the pieces of base64 that only this secret can have produced, wherever it is in the encoded data,
 * such as within `user:password`. They are in the standard alphabet; `bytesOf` treats the one for URLs as
 * equal. The characters at the ends, which also encode neighbouring bytes, are left out.
 */
function base64Forms(secret: string): readonly string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = bytes.toString("base64");
    const part = whole.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.byteLength * 8) / 6));
    if (part.length >= minLength) forms.push(part);
  }
  return forms;
}
