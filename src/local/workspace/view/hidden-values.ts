import { Redactor } from "../../../core/redaction/redactor";

/** Shorter values occur in ordinary text. */
const minLength = 4;

/** Values that are shown only on request: those of masked parameters, and secrets that users have entered. */
export class HiddenValues {
  readonly #values: ReadonlySet<string>;
  readonly #redactor = new Redactor({ minLength });

  constructor(values: Iterable<string>) {
    this.#values = new Set(values);
    for (const value of this.#values) this.#redactor.add(value);
  }

  /** Checks whether a text is such a value, or contains one. */
  isIn(text: string): boolean {
    return text !== "" && (this.#values.has(text) || this.redact(text) !== text);
  }

  /** Removes these values from a text. */
  redact(text: string): string {
    return this.#redactor.redact(text);
  }

  /** Returns the JSON of something to show, without these values. */
  json(value: unknown): string {
    return JSON.stringify(value, (_, each: unknown) =>
      typeof each === "string" ? this.redact(each) : each,
    );
  }
}
