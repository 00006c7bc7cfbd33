import { JsonError } from "./json-error";
import { isJsonObject, type JsonObject, type JsonValue } from "./json-value";

/**
 * The members of a JSON object, read by the type that a format demands.
 *
 * Every reader throws `JsonError` with the code `SHAPE`, which names the place and not the value.
 */
export class JsonFields {
  private constructor(
    readonly object: JsonObject,
    /** Where the object stands, for messages. */
    readonly place: string,
  ) {}

  /** @param known the only names there may be; any, when it is left out. */
  static of(value: JsonValue | undefined, place: string, known?: readonly string[]): JsonFields {
    if (!isJsonObject(value)) throw new JsonError("SHAPE", `${place} must be a JSON object`);
    const unknown = known && Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new JsonError("SHAPE", `${place} has an unknown member ${quoted(unknown)}`);
    }
    return new JsonFields(value, place);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name) && this.object[name] !== null;
  }

  text(name: string): string {
    const value = this.object[name];
    if (typeof value !== "string") throw this.shape(name, "a text");
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  /** A whole number that a double holds exactly. */
  integer(name: string): number {
    const value = this.object[name];
    if (typeof value !== "number" || !Number.isSafeInteger(value)) {
      throw this.shape(name, "a whole number");
    }
    return value;
  }

  /** A 64-bit number in protobuf's JSON: a text (or a number), and absent when it is 0. */
  int64(name: string): number {
    const value = this.object[name] ?? 0;
    const number =
      typeof value === "string" && /^(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) {
      throw this.shape(name, "a whole number that is not negative");
    }
    return number;
  }

  /** Bytes in padded standard base64, in its one canonical form. */
  base64(name: string): Buffer {
    const bytes = fromBase64(this.text(name));
    if (bytes === undefined) throw this.shape(name, "base64");
    return bytes;
  }

  fields(name: string, known?: readonly string[]): JsonFields {
    return JsonFields.of(this.object[name], this.at(name), known);
  }

  optionalFields(name: string, known?: readonly string[]): JsonFields | undefined {
    return this.has(name) ? this.fields(name, known) : undefined;
  }

  /** Objects in a list; none when it is absent. */
  list(name: string, known?: readonly string[]): readonly JsonFields[] {
    return this.items(name).map((item, index) =>
      JsonFields.of(item, `${this.at(name)}[${index}]`, known),
    );
  }

  /** The items of a list; none when it is absent. */
  items(name: string): readonly JsonValue[] {
    const value = this.object[name] ?? [];
    if (!Array.isArray(value)) throw this.shape(name, "a list");
    return value as readonly JsonValue[];
  }

  shape(name: string, wanted: string): JsonError {
    return new JsonError("SHAPE", `${this.at(name)} must be ${wanted}`);
  }

  private at(name: string): string {
    return `${this.place}.${name}`;
  }
}

/** Undefined when the text is not the canonical base64 of anything. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
