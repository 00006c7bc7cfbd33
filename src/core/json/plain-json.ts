/** A value whose properties can be read by name. */
export type Properties = Readonly<Record<string, unknown>>;

/** Checks whether a value has properties or elements: an object, an array or any class instance. */
export const isRecord = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null;

/** Checks whether a value is an object in the sense of JSON: not an array, and not null. */
export const isObject = (value: unknown): value is Properties =>
  isRecord(value) && !Array.isArray(value);

/** Checks whether a value is an object that is not an instance of a class. */
export function isPlainObject(value: unknown): value is Properties {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Parses JSON as JavaScript does, for text without a known structure: output of programs, responses of
 * services, values of variables. The parser's message is dropped because it quotes the text.
 *
 * @returns undefined if it is not JSON
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON that this package, Terraform or a tool of the same user wrote.
 *
 * @throws SyntaxError which quotes the text
 */
export function parseTrustedJson(text: string): unknown {
  return JSON.parse(text);
}

/**
 * Returns the value of a name that others have chosen. Unlike `record[name]`, it finds nothing that all objects
 * inherit, such as `constructor`.
 */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the properties of an object; none for anything else. */
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
