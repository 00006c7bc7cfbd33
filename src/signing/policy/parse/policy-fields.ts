import { isJsonObject, type JsonObject, type JsonValue } from "../../../json/json-value";

/** What is wrong with a policy, and where. */
export interface PolicyProblem {
  /** From 1; 0 is the text as a whole. */
  readonly document: number;
  /** `spec.images[0].glob`; empty for the document as a whole. */
  readonly path: string;
  /** "must …" or "is …" */
  readonly problem: string;
}

export function formatProblem({ document, path, problem }: PolicyProblem): string {
  if (document === 0) return `the policy ${problem}`;
  return `document ${document}${path === "" ? "" : `, ${path}`}: ${problem}`;
}

/** Takes what is wrong at a path of one document. */
export type Report = (path: string, problem: string) => void;

/**
 * The fields of one object of a policy. Whatever is wrong is reported, and reading goes on, so that all
 * problems come together.
 */
export class PolicyFields {
  private constructor(
    private readonly object: JsonObject,
    readonly path: string,
    readonly report: Report,
  ) {}

  /** @param known the only names there may be */
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
      fields.refuse(name.slice(0, 80), `is not a field here (those are ${known.join(", ")})`);
    }
    return fields;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name);
  }

  at(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`;
  }

  refuse(name: string, problem: string): void {
    this.report(this.at(name), problem);
  }

  /** Refuses a field whenever it is there. */
  refuseIfGiven(name: string, problem: string): void {
    if (this.has(name)) this.refuse(name, problem);
  }

  text(name: string): string | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    if (typeof value === "string") {
      if (value !== "") return value;
      this.refuse(name, "must not be empty: give it a value or leave it out");
    } else {
      const isWord = typeof value === "number" || typeof value === "boolean";
      this.refuse(name, isWord ? "must be a text: put it in quotes" : "must be a text");
    }
    return undefined;
  }

  requiredText(name: string): string | undefined {
    if (!this.has(name)) this.refuse(name, "is missing");
    return this.text(name);
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    const found = choices.find((choice) => choice === text);
    if (text !== undefined && found === undefined) {
      this.refuse(name, `must be ${choices.join(" or ")} (got ${quote(text)})`);
    }
    return found;
  }

  boolean(name: string): boolean | undefined {
    const value = this.given(name);
    if (value === undefined || typeof value === "boolean") return value;
    this.refuse(name, "must be true or false, without quotes and in no other words");
    return undefined;
  }

  url(name: string): URL | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === "") {
      return url;
    }
    this.refuse(name, "must be a URL with https or http, without a user");
    return undefined;
  }

  fields(name: string, known: readonly string[]): PolicyFields | undefined {
    const value = this.given(name);
    return value === undefined
      ? undefined
      : PolicyFields.of(value, this.at(name), this.report, known);
  }

  /** Objects in a list; none when it is absent. */
  list(name: string, known: readonly string[]): readonly PolicyFields[] {
    const value = this.given(name) ?? [];
    if (!Array.isArray(value)) {
      this.refuse(name, "must be a list");
      return [];
    }
    const items = value as readonly JsonValue[];
    return items.flatMap(
      (item, at) => PolicyFields.of(item, `${this.at(name)}[${at}]`, this.report, known) ?? [],
    );
  }

  /** How many items a list has, readable or not. */
  sizeOf(name: string): number {
    const value = this.object[name];
    return Array.isArray(value) ? value.length : 0;
  }

  /** An empty value is a requirement that somebody forgot to write, so it does not count as none. */
  private given(name: string): JsonValue | undefined {
    if (!this.has(name)) return undefined;
    const value = this.object[name] ?? null;
    if (value !== null) return value;
    this.refuse(name, "has no value: give it one or leave it out");
    return undefined;
  }
}

/** Quotes part of a policy in a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
