import { isJsonObject, type JsonObject, type JsonValue } from "./plain-json";
import { isJsonError, jsonError, type JsonError, type JsonForm, readJson } from "./read-json";

/** The form of plain JSON. Objects have no prototype, so that `constructor` is an ordinary name. */
export const plainForm: JsonForm<JsonValue, Record<string, JsonValue>> = {
  depthMax: 256,
  lengthMax: 128 * 1024 * 1024,
  // An empty object takes 3 bytes of text, and 200 of memory.
  valuesMax: 2_000_000,
  plain: (value) => value,
  number: (digits, at) => {
    const value = Number(digits);
    if (Number.isFinite(value)) return value;
    throw jsonError("NUMBER_RANGE", `number out of range at character ${at}`, { at });
  },
  members: () => Object.create(null) as Record<string, JsonValue>,
  add: (members, name, value) => {
    if (name === "__proto__") return "FORBIDDEN_NAME";
    if (name in members) return "DUPLICATE_NAME";
    members[name] = value;
    return undefined;
  },
};

/**
 * Parses external JSON, more strictly than `JSON.parse`: no duplicate names, no name `__proto__`, at most 256 levels of
 * nesting and two million values, no numbers beyond a double, no lone surrogates, and bytes must be UTF-8. Objects have
 * no prototype.
 *
 * @param limits lower limits, for formats with few values or levels
 * @throws JsonError
 */
export function parseJson(
  text: string | Uint8Array,
  limits: { readonly valuesMax?: number; readonly depthMax?: number } = {},
): JsonValue {
  return readJson(text, { ...plainForm, ...limits });
}

/**
 * Parses a response that may be something else, such as the page of a proxy; undefined if it is not a JSON object, or has
 * more than 100 levels of nesting. For a format with required members, use `JsonFields`, whose errors name the place.
 */
export function readJsonObject(
  text: string | Uint8Array,
  limits: { readonly valuesMax?: number } = {},
): JsonObject | undefined {
  try {
    const value = parseJson(text, { depthMax: 100, ...limits });
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (isJsonError(error)) return undefined;
    throw error;
  }
}

/**
 * The members of a JSON object, read as the types that a format requires. Every reader throws `JsonError` with the code
 * `SHAPE`, whose message names the place, not the value.
 */
export class JsonFields {
  private constructor(
    readonly object: JsonObject,
    /** The path of the object, for messages. */
    readonly place: string,
  ) {}

  /** @param known the allowed names, by default all. @throws JsonError if it is no object, or has other names */
  static of(value: JsonValue | undefined, place: string, known?: readonly string[]): JsonFields {
    if (!isJsonObject(value)) throw jsonError("SHAPE", `${place} must be a JSON object`);
    const unknown = known && Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const quoted = JSON.stringify(unknown.slice(0, 40));
      throw jsonError("SHAPE", `${place} has an unknown member ${quoted}`);
    }
    return new JsonFields(value, place);
  }

  /** True if a member exists and is not null. */
  has(name: string): boolean {
    return Object.hasOwn(this.object, name) && this.object[name] !== null;
  }

  string(name: string): string {
    const value = this.object[name];
    if (typeof value !== "string") throw this.shape(name, "a string");
    return value;
  }

  /** Undefined if the member is absent or null. */
  optionalString(name: string): string | undefined {
    return this.has(name) ? this.string(name) : undefined;
  }

  /** An integer that a double represents exactly. */
  integer(name: string): number {
    const value = this.object[name];
    if (typeof value !== "number" || !Number.isSafeInteger(value)) {
      throw this.shape(name, "an integer");
    }
    return value;
  }

  /**
   * A non-negative 64-bit integer in protobuf's JSON: a string or a number, and absent if it is 0.
   *
   * @see https://protobuf.dev/programming-guides/json/
   */
  int64(name: string): number {
    const value = this.object[name] ?? 0;
    const number =
      typeof value === "string" && /^(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) {
      throw this.shape(name, "a non-negative integer");
    }
    return number;
  }

  /** Bytes in padded standard base64 (RFC 4648), in canonical form only. */
  base64(name: string): Buffer {
    const bytes = fromBase64(this.string(name));
    if (bytes === undefined) throw this.shape(name, "base64");
    return bytes;
  }

  fields(name: string, known?: readonly string[]): JsonFields {
    return JsonFields.of(this.object[name], this.#at(name), known);
  }

  /** Undefined if the member is absent or null. */
  optionalFields(name: string, known?: readonly string[]): JsonFields | undefined {
    return this.has(name) ? this.fields(name, known) : undefined;
  }

  /** A list of objects; empty if the member is absent or null. */
  list(name: string, known?: readonly string[]): readonly JsonFields[] {
    return this.items(name).map((item, index) =>
      JsonFields.of(item, `${this.#at(name)}[${index}]`, known),
    );
  }

  /** The items of a list; empty if the member is absent or null. */
  items(name: string): readonly JsonValue[] {
    const value = this.object[name] ?? [];
    if (!Array.isArray(value)) throw this.shape(name, "a list");
    return value as readonly JsonValue[];
  }

  /** The error for a member of another type or form. */
  shape(name: string, wanted: string): JsonError {
    return jsonError("SHAPE", `${this.#at(name)} must be ${wanted}`);
  }

  #at(name: string): string {
    return `${this.place}.${name}`;
  }
}

/** Decodes canonical base64 (RFC 4648); undefined for anything else. */
export function fromBase64(value: string): Buffer | undefined {
  const bytes = Buffer.from(value, "base64");
  return bytes.toString("base64") === value ? bytes : undefined;
}
