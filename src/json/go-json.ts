import { isJsonObject, type JsonValue } from "./json-value";

/** JSON text that is already written, to be put in as it is. */
export class GoJson {
  constructor(readonly text: string) {}
}

/**
 * Writes JSON as Go's `encoding/json` writes a value that it had read: names sorted, no spaces, HTML's
 * signs escaped, numbers as doubles.
 *
 * Tools compare such texts by their hashes, so every byte counts.
 */
export function goJson(value: JsonValue): string {
  if (typeof value === "string") return goText(value);
  if (typeof value === "number") return goNumber(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (!isJsonObject(value)) return `[${value.map(goJson).join(",")}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => byBytes(a, b));
  return `{${members.map(([name, member]) => `${goText(name)}:${goJson(member)}`).join(",")}}`;
}

/**
 * Writes an object whose members keep their order, as Go writes a struct.
 *
 * Members that are undefined are left out.
 */
export function goStruct(
  members: Readonly<Record<string, JsonValue | GoJson | undefined>>,
): GoJson {
  const texts = Object.entries(members).flatMap(([name, member]) => {
    if (member === undefined) return [];
    return [`${goText(name)}:${member instanceof GoJson ? member.text : goJson(member)}`];
  });
  return new GoJson(`{${texts.join(",")}}`);
}

/** Writes a list of structs. */
export function goList(items: readonly GoJson[]): GoJson {
  return new GoJson(`[${items.map(({ text }) => text).join(",")}]`);
}

/** The order of UTF-8, which differs from JavaScript's beyond U+FFFF. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

/** Within doubles, ECMAScript and Go write the same digits, except for the negative zero. */
function goNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

// eslint-disable-next-line no-control-regex -- these are what is escaped
const escaped = /["\\\u0000-\u001f<>&\u2028\u2029]|\p{Surrogate}/gu;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function goText(text: string): string {
  const inside = text.replace(escaped, (sign) => {
    const code = sign.charCodeAt(0);
    if (code >= 0xd800 && code <= 0xdfff) return "\\ufffd";
    return short[sign] ?? `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `"${inside}"`;
}
