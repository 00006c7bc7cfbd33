import { Redactor } from "../../../core/redaction/redactor";
import { listOf, objectOf, stringOf } from "../terraform/json-value";
import type { ResourceValues } from "../terraform/resource-values";
import type { SecretReference, ShownValue, ValuePath } from "./seen";

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

export interface KeptSecret extends SecretReference {
  readonly value: string;
}

/** Reads the values of a view, and keeps the secret ones apart. */
export class ViewedValues {
  readonly #hidden: HiddenValues;
  readonly #secrets: KeptSecret[] = [];

  /** @param hidden the values of masked parameters */
  constructor(hidden: HiddenValues) {
    this.#hidden = hidden;
  }

  get secrets(): readonly KeptSecret[] {
    return this.#secrets;
  }

  /** Shows a value, or refers to it if it is secret, sensitive or contains a hidden one. */
  value(resource: ResourceValues, path: ValuePath, isSecret = false): ShownValue {
    const value = stringOf(at(resource.values, path));
    if (!isSecret && !this.#hides(resource, path)) return { text: value };
    const secret = { address: resource.address, path };
    this.#secrets.push({ ...secret, value });
    return { secret };
  }

  /** Returns a text; empty if it must be hidden. */
  text(resource: ResourceValues, name: string): string {
    return this.#hides(resource, [name]) ? "" : stringOf(resource.values[name]);
  }

  #hides({ values, sensitive }: ResourceValues, path: ValuePath): boolean {
    const isSensitive = path.some((_, end) => at(sensitive, path.slice(0, end + 1)) === true);
    return isSensitive || this.#hidden.isIn(stringOf(at(values, path)));
  }
}

function at(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (found, step) => (typeof step === "number" ? listOf(found)[step] : objectOf(found)[step]),
    value,
  );
}
