/** A value whose properties can be read by name. */
export type Properties = Readonly<Record<string, unknown>>;

/** Checks for an object, an array or any class instance. */
export const isRecord = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null;

/** Checks for an object as in JSON: neither an array nor null. */
export const isObject = (value: unknown): value is Properties =>
  isRecord(value) && !Array.isArray(value);

/** Checks for an object that is not an instance of a class. */
export function isPlainObject(value: unknown): value is Properties {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Parses JSON without a known structure, such as the output of programs; undefined if it is not JSON. The parser's message
 * is dropped because it quotes the text.
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON from this package, Terraform or a tool of the user. @throws SyntaxError which quotes the text */
export function parseTrustedJson(text: string): unknown {
  return JSON.parse(text);
}

/** Returns the value for a name from outside. Unlike `record[name]`, ignores what all objects inherit (`constructor`). */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the properties of an object; for anything else, none. */
export const propertiesOf = (value: unknown): Properties => (isObject(value) ? value : {});

/** A value that JSON can represent. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. `parseJson` creates objects without a prototype. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}
