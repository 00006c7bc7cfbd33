import { isJsonObject, type JsonObject, type JsonValue } from "./plain-json";
import { isJsonError, jsonError, type JsonForm, readJson } from "./read-json";

/** Objects have no prototype, so that `constructor` is an ordinary name. */
const form: JsonForm<JsonValue, Record<string, JsonValue>> = {
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
 * Parses external JSON.
 *
 * It is stricter than `JSON.parse`: no duplicate names, no name `__proto__`, at most 256 levels of nesting,
 * no numbers that are too large for a double, no lone surrogates, at most two million values, and bytes must
 * be UTF-8. Objects have no prototype.
 *
 * @param limits lower limits for formats that need only few values or levels
 * @throws JsonError
 */
export function parseJson(
  text: string | Uint8Array,
  limits: { readonly valuesMax?: number; readonly depthMax?: number } = {},
): JsonValue {
  return readJson(text, { ...form, ...limits });
}

/**
 * Parses the JSON object of an answer that may be something else, such as the page of a proxy. For a format
 * that requires members, use `JsonFields`, whose errors name the place.
 *
 * @returns undefined if it is not a JSON object, or has more than 100 levels of nesting
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
