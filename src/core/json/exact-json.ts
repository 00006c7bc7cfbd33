import { isJsonObject, type JsonValue } from "./plain-json";

/**
 * Writes a JSON value in its canonical form: no spaces, keys sorted by UTF-16 code units, numbers and
 * strings as ECMAScript writes them.
 *
 * Members that are undefined are left out, as by `JSON.stringify`.
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
        // The default order of strings is that of their code units, as the RFC requires.
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${canonicalString(key)}:${canonicalJson(member)}`);
      return `{${members.join(",")}}`;
    }
    default:
      throw new TypeError(`JSON cannot represent values of type ${typeof value}`);
  }
}

function canonicalString(value: string): string {
  // With the u flag, a pair is one character, so only a lone surrogate matches.
  if (/\p{Surrogate}/u.test(value)) throw new TypeError("JSON cannot represent a lone surrogate");
  return JSON.stringify(value);
}

/** JSON that is already serialized, to be inserted unchanged. */
export class GoJson {
  constructor(readonly text: string) {}
}

/**
 * Writes JSON as Go's `encoding/json` writes a value that it has read: names sorted, no spaces, `<`, `>`
 * and `&` escaped, numbers as doubles.
 *
 * Tools compare hashes of the output, so every byte matters.
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

/**
 * Writes an object whose members keep their order, as Go writes a struct.
 *
 * Members that are undefined are left out.
 */
export function goStruct(
  members: Readonly<Record<string, JsonValue | GoJson | undefined>>,
): GoJson {
  const written = Object.entries(members).flatMap(([name, member]) => {
    if (member === undefined) return [];
    return [`${goString(name)}:${member instanceof GoJson ? member.text : goJson(member)}`];
  });
  return new GoJson(`{${written.join(",")}}`);
}

/** Writes a list of structs, as Go writes a slice. */
export function goList(items: readonly GoJson[]): GoJson {
  return new GoJson(`[${items.map(({ text }) => text).join(",")}]`);
}

/** Compares in the order of UTF-8, which differs from JavaScript's above U+FFFF. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

/** Writes a double. ECMAScript and Go write the same digits, except for negative zero. */
function goNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

const loneSurrogate = /\p{Surrogate}/u;

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

/** Searches whole strings instead of single characters, because a predicate can have many megabytes. */
function escaped(wellFormed: string): string {
  const inside = JSON.stringify(wellFormed).slice(1, -1);
  return alsoEscaped.reduce((text, [character, by]) => text.split(character).join(by), inside);
}
