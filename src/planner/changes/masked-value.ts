import { isObject, isRecord } from "../../core/json/plain-json";
import { printable } from "../../core/redaction/printable";

export class Placeholder {
  constructor(readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}

/** A value that Terraform or the provider marks as sensitive. */
export const sensitive = new Placeholder("(sensitive)");

/** A value that is known only after the apply. */
export const unknown = new Placeholder("(known after apply)");

/** A value with the masks of `terraform show -json`, which are `true`, or objects and lists that contain `true`. */
export interface Marked {
  readonly value: unknown;
  readonly sensitive: unknown;
  readonly unknown?: unknown;
}

/** Replaces sensitive and unknown values by placeholders. A value that is both counts as sensitive. */
export function masked(marked: Marked): unknown {
  const { value } = marked;
  if (marked.sensitive === true) return sensitive;
  if (marked.unknown === true) return unknown;
  if (Array.isArray(value)) return value.map((_, at) => masked(partOf(marked, at)));
  if (!isObject(value) && !isObject(marked.unknown)) return value;
  const names = membersOf(value, marked.unknown);
  return Object.fromEntries(names.map((name) => [name, masked(partOf(marked, name))]));
}

export function secretParts(marked: Marked): readonly unknown[] {
  if (marked.sensitive === true) return [marked.value];
  return Object.keys(isRecord(marked.value) ? marked.value : {}).flatMap((key) =>
    secretParts(partOf(marked, key)),
  );
}

/** Returns an element of a list or a member of an object, with its masks. */
export function partOf(
  { value, sensitive: secret, unknown: open }: Marked,
  key: string | number,
): Marked {
  const at = (whole: unknown): unknown =>
    isRecord(whole) && Object.hasOwn(whole, key) ? whole[key] : undefined;
  const inMask = (mask: unknown): unknown => mask === true || at(mask);
  return { value: at(value), sensitive: inMask(secret), unknown: inMask(open) };
}

/** Combines masks: the result marks all that any of them marks. */
export function union(masks: readonly unknown[]): unknown {
  if (masks.includes(true)) return true;
  const records = masks.filter(isRecord);
  const names = new Set(records.flatMap((mask) => Object.keys(mask)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      union(records.map((mask) => (Object.hasOwn(mask, name) ? mask[name] : undefined))),
    ]),
  );
}

/** Returns the names of the members of objects and masks. Unknown members are only in the mask. */
export function membersOf(...objects: readonly unknown[]): readonly string[] {
  return [...new Set(objects.flatMap((each) => (isObject(each) ? Object.keys(each) : [])))].sort();
}

export const marksAnything = (mask: unknown): boolean =>
  mask === true || (isRecord(mask) && Object.values(mask).some(marksAnything));

/** Longer strings are cut. */
const maxCharacters = 120;

/** Formats a value on one line, much like HCL. A long string is cut, and its length added. */
export function valueText(value: unknown): string {
  if (value instanceof Placeholder) return value.text;
  if (typeof value === "string") return stringText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  if (members.length === 0) return "{}";
  const texts = members.map(([name, member]) => `${memberName(name)} = ${valueText(member)}`);
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

const quoted = (text: string): string => printable(JSON.stringify(text));

export const memberName = (name: string): string => (/^[\w-]+$/.test(name) ? name : quoted(name));
