import { isObject, isRecord } from "../../json/is-object";

/** A placeholder for a value that is not shown. */
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

/** A value with the masks of `terraform show -json`: `true`, or objects and lists that contain it. */
export interface Marked {
  readonly value: unknown;
  readonly sensitive: unknown;
  readonly unknown?: unknown;
}

/** Replaces sensitive and unknown values by placeholders. A value that is both is shown as sensitive. */
export function masked(marked: Marked): unknown {
  const { value } = marked;
  if (marked.sensitive === true) return sensitive;
  if (marked.unknown === true) return unknown;
  if (Array.isArray(value)) return value.map((_, at) => masked(partOf(marked, at)));
  if (!isObject(value) && !isObject(marked.unknown)) return value;
  const names = membersOf(value, marked.unknown);
  return Object.fromEntries(names.map((name) => [name, masked(partOf(marked, name))]));
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

/** Combines masks: the result marks everything that one of them marks. */
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

/** Returns the names of an object's members. Unknown members are only in the mask. */
export function membersOf(...objects: readonly unknown[]): readonly string[] {
  return [...new Set(objects.flatMap((each) => (isObject(each) ? Object.keys(each) : [])))].sort();
}

/** Checks whether a mask marks anything. */
export const marksAnything = (mask: unknown): boolean =>
  mask === true || (isRecord(mask) && Object.values(mask).some(marksAnything));
