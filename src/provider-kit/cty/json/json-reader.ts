import { JsonSyntaxError } from "../../../json/json-syntax-error";
import { readJson, type JsonForm } from "../../../json/read-json";
import { CtyError } from "../error";

/** A JSON number as written, because `number` cannot represent all of them. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** Parsed JSON that has lost only its whitespace. */
export type JsonValue =
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
 * @throws CtyError when the text is not JSON
 */
export function parseExactJson(text: string): JsonValue {
  try {
    return readJson(text, form);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (error.code === "TOO_DEEP") {
      throw new CtyError(`the JSON is nested deeper than ${form.depthMax} levels`);
    }
    throw new CtyError(`invalid JSON: ${error.message.replace(/^not JSON: /, "")}`);
  }
}
