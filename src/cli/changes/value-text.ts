import { isObject } from "../../json/is-object";
import { printable } from "../../redaction/printable";
import { Placeholder } from "./masked-value";

/** The longest string that is shown as a whole. */
const maxCharacters = 120;

/** Formats a value on one line, much like HCL. Long strings are cut and end with their length. */
export function valueText(value: unknown): string {
  if (value instanceof Placeholder) return value.text;
  if (typeof value === "string") return stringText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  if (members.length === 0) return "{}";
  const texts = members.map(([name, member]) => `${nameText(name)} = ${valueText(member)}`);
  return `{ ${texts.join(", ")} }`;
}

function stringText(text: string): string {
  const lines = text.split("\n").length;
  const [first = ""] = text.split("\n", 1);
  const isShort = lines <= 2 && text.length <= maxCharacters;
  if (isShort) return quoted(text);
  const shown = first.slice(0, maxCharacters / 2);
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  return `${quoted(shown).slice(0, -1)}…" (${size})`;
}

/** Escapes the characters that a terminal interprets and JSON leaves unchanged. */
const quoted = (text: string): string => printable(JSON.stringify(text));

const nameText = (name: string): string => (/^[\w-]+$/.test(name) ? name : quoted(name));
