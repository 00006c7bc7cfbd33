import { isJsonError, type JsonForm, readJson } from "../../json/read-json";
import { type CtyNumber, int64From, numberText, parseNumber } from "./number";
import { CtyError, type CtyField, type CtyType, typeFromJson } from "./type";
import { type CtyValue, DynamicValue, Trail } from "./value";

/** A JSON number as written, because `number` cannot represent all of them. */
class JsonNumber {
  constructor(readonly text: string) {}
}

/** Parsed JSON that has lost only its whitespace. */
type JsonValue =
  null | boolean | string | JsonNumber | readonly JsonValue[] | ReadonlyMap<string, JsonValue>;

const form: JsonForm<JsonValue, Map<string, JsonValue>> = {
  depthMax: 1000,
  // The maximum size of a gRPC message.
  lengthMax: 256 * 1024 * 1024,
  plain: (value) => value,
  number: (digits) => new JsonNumber(digits),
  members: () => new Map(),
  add: (members, name, value) => {
    if (members.has(name)) return "DUPLICATE_NAME";
    members.set(name, value);
    return undefined;
  },
};

/**
 * Parses JSON and keeps numbers as they are written.
 *
 * @throws CtyError when the string is not JSON
 */
export function parseExactJson(text: string): JsonValue {
  try {
    return readJson(text, form);
  } catch (error) {
    if (!isJsonError(error)) throw error;
    if (error.code === "TOO_DEEP") {
      throw new CtyError(`the JSON is nested deeper than ${form.depthMax} levels`);
    }
    throw new CtyError(`invalid JSON: ${error.message.replace(/^not JSON: /, "")}`);
  }
}

/**
 * Decodes a value from Terraform's JSON format.
 *
 * Numbers stay exact, and omitted attributes are null. As in Terraform, strings are converted to
 * numbers and booleans, and vice versa, where they have the same meaning.
 *
 * @throws CtyError when the input is not JSON or does not match the type
 */
export function decodeJson(
  type: CtyType,
  text: string | Uint8Array,
  options?: DecodeOptions,
): CtyValue {
  return new JsonDecoder(options).value(
    type,
    parseExactJson(typeof text === "string" ? text : utf8(text)),
  );
}

interface DecodeOptions {
  /** Ignores attributes that the type does not have, at any depth. @default false */
  readonly ignoresOthers?: boolean;
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CtyError("the JSON is not valid UTF-8");
  }
}

class JsonDecoder extends Trail {
  readonly #ignoresOthers: boolean;

  constructor({ ignoresOthers = false }: DecodeOptions = {}) {
    super();
    this.#ignoresOthers = ignoresOthers;
  }

  value(type: CtyType, json: JsonValue): CtyValue {
    if (json === null) return null;
    switch (type) {
      case "string":
        if (typeof json === "string") return json;
        if (typeof json === "boolean") return String(json);
        if (json instanceof JsonNumber) return json.text;
        throw this.#expected("a string", json);
      case "number":
        return this.#anyNumber(json);
      case "decimal":
        return numberText(this.#anyNumber(json));
      case "int64":
        return int64From(this.#anyNumber(json));
      case "bool":
        if (typeof json === "boolean") return json;
        if (json === "true" || json === "false") return json === "true";
        throw this.#expected("a boolean", json);
      case "dynamic":
        return this.#dynamic(json);
      default:
        if ("list" in type) return this.#elements(type.list, json, "a list");
        if ("set" in type) return this.#elements(type.set, json, "a set");
        if ("map" in type) return this.#map(type.map, json);
        if ("tuple" in type) return this.#tuple(type.tuple, json);
        return this.#object(type.object, json);
    }
  }

  #anyNumber(json: JsonValue): CtyNumber {
    if (json instanceof JsonNumber) return this.#number(json.text);
    if (typeof json === "string") return this.#number(json);
    throw this.#expected("a number", json);
  }

  #number(text: string): CtyNumber {
    try {
      return parseNumber(text);
    } catch (error) {
      throw this.locate(error);
    }
  }

  #elements(type: CtyType, json: JsonValue, expected: string): CtyValue {
    if (!isArray(json)) throw this.#expected(expected, json);
    return json.map((element, index) => this.#at(index, type, element));
  }

  #tuple(types: readonly CtyType[], json: JsonValue): CtyValue {
    const expected = `a tuple of ${types.length} elements`;
    if (!isArray(json)) throw this.#expected(expected, json);
    if (json.length !== types.length) {
      throw this.fail(`expected ${expected}, found ${json.length}`);
    }
    return types.map((type, index) => this.#at(index, type, json[index] ?? null));
  }

  #map(type: CtyType, json: JsonValue): CtyValue {
    if (!(json instanceof Map)) throw this.#expected("a map", json);
    const values = Object.create(null) as Record<string, CtyValue>;
    for (const [key, element] of json as ReadonlyMap<string, JsonValue>) {
      values[key] = this.#at(key, type, element);
    }
    return values;
  }

  #object(fields: readonly CtyField[], json: JsonValue): CtyValue {
    if (!(json instanceof Map)) throw this.#expected("an object", json);
    const members = json as ReadonlyMap<string, JsonValue>;
    for (const wire of this.#ignoresOthers ? [] : members.keys()) {
      if (!fields.some((field) => field.wire === wire)) {
        throw this.fail(`unsupported attribute ${JSON.stringify(wire)}`);
      }
    }
    // Object.fromEntries creates own properties, even for `__proto__`.
    return Object.fromEntries(
      fields.map(({ wire, name, type, nullIsEmpty = false }) => {
        const value = this.#at(wire, type, members.get(wire) ?? null);
        return [name, value === null && nullIsEmpty ? [] : value];
      }),
    );
  }

  #dynamic(json: JsonValue): CtyValue {
    if (!(json instanceof Map)) throw this.#expected("a dynamic value with its type", json);
    const members = json as ReadonlyMap<string, JsonValue>;
    const value = members.get("value");
    const typeJson = members.get("type");
    if (members.size !== 2 || value === undefined || typeJson === undefined) {
      throw this.fail('a dynamic value must have exactly the members "value" and "type"');
    }
    const type = this.#type(typeJson);
    return new DynamicValue(type, this.#at("value", type, value));
  }

  #type(json: JsonValue): CtyType {
    try {
      return typeFromJson(JSON.stringify(json, replaceMap));
    } catch (error) {
      throw this.locate(error);
    }
  }

  #at(step: string | number, type: CtyType, json: JsonValue): CtyValue {
    this.enter(step);
    const value = this.value(type, json);
    this.leave();
    return value;
  }

  #expected(expected: string, json: JsonValue): CtyError {
    return this.fail(`expected ${expected}, found ${kindName(json)}`);
  }
}

function replaceMap(_key: string, json: unknown): unknown {
  return json instanceof Map ? Object.fromEntries(json) : json;
}

function isArray(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json);
}

function kindName(json: JsonValue): string {
  if (json === null) return "null";
  if (isArray(json)) return "an array";
  if (json instanceof JsonNumber) return "a number";
  if (typeof json === "string") return "a string";
  return typeof json === "boolean" ? "a boolean" : "an object";
}
