import { isObject, type Properties } from "../json/plain-json";
import { readJsonObject } from "../json/parse-json";
import { googleError, type GoogleError } from "./google-error";

/** The fields of a file of credentials. Errors contain the names of fields, never their values. */
export class CredentialFields {
  readonly #json: Properties;

  constructor(
    json: Properties,
    readonly origin: string,
    readonly path = "",
  ) {
    this.#json = json;
  }

  /** @throws GoogleError `FILE` */
  static parse(text: string, origin: string): CredentialFields {
    const json = readJsonObject(text, { valuesMax: 10_000 });
    if (json !== undefined) return new CredentialFields(json, origin);
    throw googleError("FILE", `${origin} does not contain a JSON object`);
  }

  get json(): Properties {
    return this.#json;
  }

  has(name: string): boolean {
    return (this.#json[name] ?? null) !== null;
  }

  /** A string; undefined if it is absent or empty. */
  optional(name: string): string | undefined {
    const value = this.#json[name] ?? "";
    if (typeof value === "string") return value === "" ? undefined : value;
    throw this.#wrong(name, "must be a string");
  }

  string(name: string): string {
    const value = this.optional(name);
    if (value !== undefined) return value;
    throw googleError("FILE", `${this.origin} has no ${this.path}${name}`);
  }

  /** Several strings, by the caller's names. The error lists all that are missing. */
  strings<Name extends string>(
    names: Readonly<Record<Name, string>>,
  ): Readonly<Record<Name, string>> {
    const entries: [string, string][] = Object.entries(names);
    const missing = entries.filter(([, name]) => this.optional(name) === undefined);
    if (missing.length > 0) {
      const list = missing.map(([, name]) => `${this.path}${name}`).join(" and no ");
      throw googleError("FILE", `${this.origin} has no ${list}`);
    }
    const found = entries.map(([key, name]) => [key, this.string(name)]);
    return Object.fromEntries(found) as Record<Name, string>;
  }

  /** An integer within limits; undefined if it is absent. */
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.#json[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) {
      return value;
    }
    throw this.#wrong(name, `must be an integer between ${min} and ${max}`);
  }

  /** A list of strings; empty if it is absent. */
  list(name: string): readonly string[] {
    const value = this.#json[name] ?? [];
    const isText = (each: unknown): each is string => typeof each === "string";
    if (Array.isArray(value) && value.every(isText)) return value;
    throw this.#wrong(name, "must be a list of strings");
  }

  /** A map of strings; empty if it is absent. */
  map(name: string): Readonly<Record<string, string>> {
    const value = this.#json[name] ?? {};
    if (!isObject(value)) throw this.#wrong(name, "must be an object");
    const texts: Record<string, string> = {};
    for (const [key, each] of Object.entries(value)) {
      if (typeof each !== "string") throw this.#wrong(name, "must be a map of strings");
      texts[key] = each;
    }
    return texts;
  }

  object(name: string): CredentialFields {
    const value = this.#json[name];
    if (isObject(value)) return new CredentialFields(value, this.origin, `${this.path}${name}.`);
    throw googleError("FILE", `${this.origin} has no object ${this.path}${name}`);
  }

  #wrong(name: string, rule: string): GoogleError {
    return googleError("FILE", `${this.path}${name} in ${this.origin} ${rule}`);
  }
}
