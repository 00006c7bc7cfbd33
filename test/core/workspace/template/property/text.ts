import * as fc from "fast-check";
import type { Args } from "../../tables";

/** Strings that Terraform, JSON and cdktf interpret unless they are escaped. */
const pieces = [
  "${",
  "%{",
  "$${",
  "%%{",
  "$",
  "%",
  "$$",
  "{",
  "}",
  "#{",
  "{{",
  "}}",
  "var.region",
  "TfToken",
  " if true ",
  "endif",
  "HOME",
  "1e+289",
  '"',
  "'",
  "`",
  "\\",
  "\\n",
  "\n",
  "\r\n",
  "\t",
  "\u2028",
  "\u007f",
  "<b>",
  "&amp;",
  "//",
  "é",
  "日本",
  "😀",
  "ß",
  "null",
  "true",
  "0",
  "a",
  " ",
];

/** Terraform normalizes all strings to this form. */
const normalized = (text: string): string => text.normalize("NFC");

/** Any string that is read by people, shells or programs. */
export const freeText: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((all) => all.join("")),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  )
  .map(normalized);

/** A string that is not only white space. */
export const nonBlank: fc.Arbitrary<string> = freeText.map((text) =>
  /\S/.test(text) ? text : `x${text}`,
);

/** A string of up to a number of bytes, often of exactly that number. */
export const upTo = (bytes: number): fc.Arbitrary<string> =>
  fc
    .tuple(freeText, fc.boolean())
    .map(([text, filled]) => {
      const room = bytes - Buffer.byteLength(text);
      return filled && room > 0 ? text + "x".repeat(room) : text;
    })
    .filter((text) => Buffer.byteLength(text) <= bytes);

/** A string that is escaped so that Terraform reads exactly these characters. */
export const escaped = (text: string): string => text.replaceAll(/[$%](?=\{)/g, "$&$&");

/** What Terraform reads; undefined if the whole string is an expression. */
function unescaped(text: string): string | undefined {
  if (/^\$\{.*\}$/s.test(text)) return undefined;
  return text.replaceAll(/([$%])\1(?=\{)/g, "$1");
}

/** A key that Terraform would treat as a comment, escaped so that it is a key. */
const commentKey = '${"//"}';

/** Arguments as they are passed to a construct, so that Terraform reads exactly these characters. */
export const written = (args: Args): Args =>
  withStrings(args, escaped, (key) => (key === "//" ? commentKey : escaped(key))) as Args;

/** Synthesized values as Terraform reads them; expressions become `open`. */
export const asRead = (value: unknown, open: unknown): unknown =>
  withStrings(
    value,
    (text) => unescaped(text) ?? open,
    (key) => (key === commentKey ? "//" : (unescaped(key) ?? key)),
  );

/** Changes the strings of a value, including keys. */
function withStrings(
  value: unknown,
  text: (value: string) => unknown,
  key: (value: string) => string,
): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((each: unknown) => withStrings(each, text, key));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [key(name), withStrings(each, text, key)]),
  );
}
