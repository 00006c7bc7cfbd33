import { didYouMean } from "../../../schema";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../json/plain-json";

export interface PolicyProblem {
  /** Number of the document, from 1; 0 for the whole string. */
  readonly document: number;
  /** Path of the field, such as `spec.images[0].glob`; empty for the whole document. */
  readonly path: string;
  /** Predicate of a sentence, such as "must …" or "is …". */
  readonly problem: string;
  /** The line in the whole string, from 1, if it is known. */
  readonly line?: number | undefined;
}

/** Writes the message for a problem: `document 1, line 7, spec.images[0].glob: must not be empty`. */
export function formatProblem({ document, path, problem, line }: PolicyProblem): string {
  const inLine = line === undefined ? "" : `, line ${line}`;
  if (document === 0) return `the policy${inLine === "" ? "" : `${inLine}:`} ${problem}`;
  return `document ${document}${inLine}${path === "" ? "" : `, ${path}`}: ${problem}`;
}

export type Report = (path: string, problem: string) => void;

/**
 * Reads the fields of an object in a policy. A problem is reported and reading continues, so that all
 * problems are found at once.
 */
export class PolicyFields {
  readonly #object: JsonObject;

  private constructor(
    object: JsonObject,
    readonly path: string,
    readonly report: Report,
  ) {
    this.#object = object;
  }

  /**
   * Checks that a value is an object without unknown fields.
   *
   * @param known names of the allowed fields
   */
  static of(
    value: JsonValue,
    path: string,
    report: Report,
    known: readonly string[],
  ): PolicyFields | undefined {
    if (!isJsonObject(value)) {
      report(path, "must be an object");
      return undefined;
    }
    const fields = new PolicyFields(value, path, report);
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      fields.refuse(
        name.slice(0, 80),
        `is not a known field here (known: ${known.join(", ")})${didYouMean(name, known)}`,
      );
    }
    return fields;
  }

  names(): readonly string[] {
    return Object.keys(this.#object);
  }

  /** True if the field exists, with any value. */
  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  at(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`;
  }

  refuse(name: string, problem: string): void {
    this.report(this.at(name), problem);
  }

  refuseIfSet(name: string, problem: string): void {
    if (this.has(name)) this.refuse(name, problem);
  }

  /** The string in a field; undefined if it is missing or was reported. */
  string(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value === "string") {
      if (value !== "") return value;
      this.refuse(name, "must not be empty: set a value or omit the field");
    } else {
      const needsQuotes = typeof value === "number" || typeof value === "boolean";
      this.refuse(name, needsQuotes ? "must be a string: put it in quotes" : "must be a string");
    }
    return undefined;
  }

  /** As {@link string}, and reports a missing field. */
  requiredString(name: string): string | undefined {
    if (!this.has(name)) this.refuse(name, "is missing");
    return this.string(name);
  }

  /** One of some strings; undefined if it is missing or was reported. */
  oneOf<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.string(name);
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && found === undefined) {
      this.refuse(name, `must be ${choices.join(" or ")} (got ${quote(value)})`);
    }
    return found;
  }

  /** The boolean in a field; undefined if it is missing or was reported. */
  boolean(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === "boolean") return value;
    this.refuse(name, "must be true or false, without quotes");
    return undefined;
  }

  /**
   * The URL in a field; undefined if it is missing or was reported.
   *
   * @param scheme of a URL that has none. @default such a URL is refused
   */
  url(name: string, scheme = ""): URL | undefined {
    const text = this.string(name);
    if (text === undefined) return undefined;
    const value = text.includes("://") ? text : scheme + text;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === "") {
      return url;
    }
    this.refuse(name, "must be an https or http URL without user information");
    return undefined;
  }

  /** The object in a field; undefined if it is missing or was reported. */
  fields(name: string, known: readonly string[]): PolicyFields | undefined {
    const value = this.#value(name);
    return value === undefined
      ? undefined
      : PolicyFields.of(value, this.at(name), this.report, known);
  }

  /** The object in a field, of which any fields are allowed; undefined if there is no object. */
  anyFields(name: string): PolicyFields | undefined {
    const value = this.#object[name];
    if (!isJsonObject(value)) return undefined;
    return PolicyFields.of(value, this.at(name), this.report, Object.keys(value));
  }

  /** The objects of a list; empty if the field is missing. */
  list(name: string, known: readonly string[]): readonly PolicyFields[] {
    const value = this.#value(name) ?? [];
    if (!Array.isArray(value)) {
      this.refuse(name, "must be a list");
      return [];
    }
    const items = value as readonly JsonValue[];
    return items.flatMap(
      (item, at) => PolicyFields.of(item, `${this.at(name)}[${at}]`, this.report, known) ?? [],
    );
  }

  /** Number of items in a list, valid or not. */
  sizeOf(name: string): number {
    const value = this.#object[name];
    return Array.isArray(value) ? value.length : 0;
  }

  /** An empty value is reported: its author probably forgot to write a requirement. */
  #value(name: string): JsonValue | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#object[name] ?? null;
    if (value !== null) return value;
    this.refuse(name, "has no value: set one or omit the field");
    return undefined;
  }
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

export const metadataFields = (
  "name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp " +
  "deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields"
).split(" ");
