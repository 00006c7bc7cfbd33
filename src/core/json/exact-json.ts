import { isJsonObject, type JsonValue } from "./plain-json";

/**
 * Writes JSON in canonical form: no spaces, keys sorted by UTF-16 code units, numbers and strings as in ECMAScript.
 * Undefined members are left out.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785
 * @throws TypeError for values that JSON cannot represent: infinite numbers, lone surrogates, big integers,
 * functions, undefined in a list
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`JSON cannot represent ${value}`);
      return JSON.stringify(value);
    case "string":
      return canonicalString(value);
    case "object": {
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
      const members = Object.entries(value)
        .filter(([, member]) => member !== undefined)
        // JavaScript compares strings by code units, as the RFC requires.
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${canonicalString(key)}:${canonicalJson(member)}`);
      return `{${members.join(",")}}`;
    }
    default:
      throw new TypeError(`JSON cannot represent values of type ${typeof value}`);
  }
}

// With the u flag, a surrogate pair is one character and does not match.
const loneSurrogate = /\p{Surrogate}/u;

function canonicalString(value: string): string {
  if (loneSurrogate.test(value)) throw new TypeError("JSON cannot represent a lone surrogate");
  return JSON.stringify(value);
}

/** Serialized JSON, which is inserted unchanged. */
export class GoJson {
  constructor(readonly text: string) {}
}

/**
 * Writes JSON as Go's `encoding/json` writes a value that it has read: no spaces, names sorted, `<`, `>` and `&` escaped,
 * numbers as doubles. Tools compare hashes of the output, so every byte matters.
 *
 * @see https://pkg.go.dev/encoding/json#Marshal
 */
export function goJson(value: JsonValue): string {
  if (typeof value === "string") return goString(value);
  if (typeof value === "number") return goNumber(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (!isJsonObject(value)) return `[${value.map(goJson).join(",")}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => byBytes(a, b));
  return `{${members.map(([name, member]) => `${goString(name)}:${goJson(member)}`).join(",")}}`;
}

/** Writes an object as Go writes a struct: members keep their order. Undefined members are left out. */
export function goStruct(
  members: Readonly<Record<string, JsonValue | GoJson | undefined>>,
): GoJson {
  const written = Object.entries(members).flatMap(([name, member]) =>
    member === undefined
      ? []
      : `${goString(name)}:${member instanceof GoJson ? member.text : goJson(member)}`,
  );
  return new GoJson(`{${written.join(",")}}`);
}

/** Writes a list of structs as Go writes a slice. */
export function goList(items: readonly GoJson[]): GoJson {
  return new GoJson(`[${items.map(({ text }) => text).join(",")}]`);
}

/** Compares by UTF-8, whose order differs from JavaScript's above U+FFFF. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** ECMAScript and Go write the same digits, except for negative zero. */
const goNumber = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

/** Characters that Go escapes and `JSON.stringify` does not. */
const alsoEscaped = ["<", ">", "&", "\u2028", "\u2029"].map(
  (character) => [character, escapeOf(character)] as const,
);

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function goString(value: string): string {
  return `"${value.split(loneSurrogate).map(escaped).join(escapeOf("\ufffd"))}"`;
}

/** Replaces whole strings instead of single characters, because a predicate can have many megabytes. */
function escaped(wellFormed: string): string {
  const inside = JSON.stringify(wellFormed).slice(1, -1);
  return alsoEscaped.reduce((text, [character, by]) => text.split(character).join(by), inside);
}
