import { isJsonError, readJson } from "../../../core/json/read-json";
import { isInfinite } from "../arithmetic";
import { readNumber } from "../binary-float";
import { sortedNames } from "../equality";
import type { TerraformFunction } from "../function";
import { EvaluationError, NotComputed, primitiveText, Value } from "../value";
import { ofStrings, stringOf } from "./arguments";

/** Quotes a string like Go's JSON, which also escapes the characters of HTML markup. */
export const jsonString = (text: string): string =>
  JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Formats a wholly known value. */
export function jsonText(value: Value): string {
  const { content, type } = value;
  if (content === null) return "null";
  if (typeof content === "string") return jsonString(content);
  if (isInfinite(content)) throw new EvaluationError("JSON cannot represent infinite numbers.");
  const plain = primitiveText(value);
  if (plain !== undefined) return plain;
  if (typeof type === "string" || !("map" in type || "object" in type)) {
    return `[${value.elements().map(jsonText).join(",")}]`;
  }
  const members = value.members();
  const texts = sortedNames(members).map(
    (name) => `${jsonString(name)}:${jsonText(members.get(name) ?? Value.null())}`,
  );
  return `{${texts.join(",")}}`;
}

type Json = null | boolean | string | Digits | readonly Json[] | Map<string, Json>;

/** A number whose conversion must not lose digits. */
class Digits {
  constructor(readonly text: string) {}
}

/** Parses JSON. Where Go's parser has rules of its own, as for duplicate names, the result is not computed. */
function parsed(text: string): Json {
  try {
    return readJson<Json, Map<string, Json>>(text, {
      depthMax: 500,
      lengthMax: 4_000_000,
      valuesMax: 200_000,
      plain: (value) => value,
      number: (digits) => new Digits(digits),
      members: () => new Map(),
      add: (members, name, value) => {
        const key = name.normalize();
        if (members.has(key)) return "DUPLICATE_NAME";
        members.set(key, value);
        return undefined;
      },
    });
  } catch (error) {
    if (!isJsonError(error)) throw error;
    // Go stops at an unmatched closing bracket.
    const isBracket = error.code === "TRAILING_TEXT" && /[\]}]/.test(text.charAt(error.at ?? 0));
    if (error.code === "SYNTAX" || (error.code === "TRAILING_TEXT" && !isBracket)) {
      throw new EvaluationError("The string is not JSON.");
    }
    throw new NotComputed();
  }
}

function valueOf(json: Json): Value {
  if (json === null) return Value.null();
  if (typeof json === "string") return stringOf(json);
  if (typeof json === "boolean") return Value.bool(json);
  if (json instanceof Digits) return Value.number(readNumber(json.text));
  if (json instanceof Map) {
    return Value.object([...json].map(([name, member]) => [name, valueOf(member)]));
  }
  return Value.tuple(json.map(valueOf));
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/jsondecode} */
export const jsonFunctions: Readonly<Record<string, TerraformFunction>> = {
  jsondecode: ofStrings(["str"], "dynamic", (text = "") => valueOf(parsed(text))),
  jsonencode: {
    parameters: [
      { name: "val", type: "dynamic", allowsNull: true, allowsAnyType: true, isWhollyKnown: true },
    ],
    returns: "string",
    call: ([value]) => stringOf(value === undefined ? "" : jsonText(value)),
  },
};
