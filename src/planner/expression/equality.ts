import { type CtyType, numberText } from "../../core/provider-kit/values";
import { compareNumbers } from "./arithmetic";
import { spend } from "./budget";
import { generalText } from "./number-text";
import { isOpen, isSet, isTuple, sameType } from "./types";
import { isNumber, NotKnown, type Value } from "./value";

/**
 * Compares two values, regardless of marks. Values of different types differ, except for null, which equals null.
 *
 * @returns undefined if the result depends on unknown values
 */
export function equals(a: Value, b: Value): boolean | undefined {
  spend(1);
  const [left, right] = [a.content, b.content];
  if (left === null && right === null) return true;
  if (left instanceof NotKnown || right instanceof NotKnown) {
    const [known, unknown] = left instanceof NotKnown ? [b, a] : [a, b];
    const isOther = known.isKnown && !known.isNull && !sameType(a.type, b.type);
    return isOther && !isOpen(unknown.type) ? false : undefined;
  }
  if (left === null || right === null) return false;
  if (!sameType(a.type, b.type)) return couldMatch(a, b) ? undefined : false;
  if (isNumber(left)) return isNumber(right) && compareNumbers(left, right) === 0;
  if (typeof left === "string")
    return typeof right === "string" && left.normalize() === right.normalize();
  if (typeof left === "boolean") return left === right;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || isSet(a.type) !== isSet(b.type)) return false;
    return isSet(a.type) ? equalSets(a, b) : equalParts(a.elements(), b.elements());
  }
  if (!(right instanceof Map)) return false;
  const [mine, others] = [a.members(), b.members()];
  if (mine.size !== others.size || [...mine.keys()].some((name) => !others.has(name))) return false;
  return all([...mine].map(([name, part]) => equalsOrFalse(part, others.get(name))));
}

/** Checks whether two values of different types may have the same type once both are known. */
function couldMatch(a: Value, b: Value): boolean {
  const isOpen = ({ type, isKnown }: Value): boolean => type === "dynamic" && !isKnown;
  if (a.isNull || b.isNull || isOpen(a) || isOpen(b)) return isOpen(a) || isOpen(b);
  const [mine, others] = [a.parts(), b.parts()];
  return (
    mine.length === others.length && mine.some((part, at) => couldMatch(part, others[at] ?? part))
  );
}

const equalsOrFalse = (a: Value, b: Value | undefined): boolean | undefined =>
  b === undefined ? false : equals(a, b);

function equalParts(a: readonly Value[], b: readonly Value[]): boolean | undefined {
  if (a.length !== b.length) return false;
  // As in Terraform, the first part that differs or is not known decides.
  for (const [at, part] of a.entries()) {
    const result = equalsOrFalse(part, b[at]);
    if (result !== true) return result;
  }
  return true;
}

function equalSets(a: Value, b: Value): boolean | undefined {
  if (!a.isWhollyKnown || !b.isWhollyKnown) return undefined;
  const others = new Set(b.elements().map(identityOf));
  return (
    others.size === a.elements().length &&
    a.elements().every((part) => others.has(identityOf(part)))
  );
}

/** A text that is the same for two wholly known values of one type if and only if they are equal. */
export function identityOf(value: Value): string {
  spend(1);
  const { content, type } = value;
  if (isNumber(content)) return numberText(content);
  if (typeof content === "string") return JSON.stringify(content.normalize());
  if (Array.isArray(content)) {
    const parts = value.elements().map(identityOf);
    return `[${(isSet(type) ? parts.toSorted() : parts).join()}]`;
  }
  if (content === null || typeof content === "boolean") return String(content);
  const members = [...value.members()].map(
    ([name, part]) => `${JSON.stringify(name)}:${identityOf(part)}`,
  );
  return `{${members.toSorted().join()}}`;
}

/** Returns the values without duplicates of earlier ones. Unknown values equal nothing. */
export function distinct(values: readonly Value[]): readonly Value[] {
  const known = new Set<string>();
  return values.filter((each) => {
    if (!each.isWhollyKnown) return true;
    const identity = identityOf(each);
    const isNew = !known.has(identity);
    known.add(identity);
    return isNew;
  });
}

/** Terraform compares members in no fixed order, up to the first that differs or is not known. */
function all(results: readonly (boolean | undefined)[]): boolean | undefined {
  return results.includes(undefined) ? undefined : !results.includes(false);
}

/**
 * Sorts the elements of a set in Terraform's order: primitives by value with null last, other elements by the keys under
 * which cty stores them.
 */
export function sortedElements(type: CtyType, elements: readonly Value[]): readonly Value[] {
  if (typeof type === "string") return elements.toSorted(comparePrimitives);
  const keys = new Map(elements.map((element) => [element, setKey(element)]));
  return elements.toSorted(
    (a, b) => compareAbsence(a, b) ?? compareBytes(keys.get(a) ?? "", keys.get(b) ?? ""),
  );
}

function comparePrimitives(a: Value, b: Value): number {
  const [left, right] = [a.content, b.content];
  if (typeof left === "string" && typeof right === "string") return compareBytes(left, right);
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  return compareAbsence(a, b) ?? Number(left) - Number(right);
}

/** The order is: values, unknown, null. */
function compareAbsence(a: Value, b: Value): number | undefined {
  const rank = (one: Value): number => Number(!one.isKnown) + 2 * Number(one.isNull);
  return rank(a) + rank(b) === 0 ? undefined : rank(a) - rank(b);
}

/** The text by which cty finds and sorts an element of a set. */
function setKey(value: Value): string {
  spend(1);
  const { content, type } = value;
  if (content instanceof NotKnown) return "?";
  if (content === null) return "~";
  if (isNumber(content)) return generalText(content, 10);
  if (typeof content === "boolean") return content ? "T" : "F";
  if (typeof content === "string") return goQuoted(content);
  if (typeof type === "string" || !("map" in type || "object" in type)) {
    const parts = value.elements().map((part) => `${setKey(part)};`);
    return isTuple(type) ? `<${parts.join("")}>` : `[${parts.join("")}]`;
  }
  const members = value.members();
  const sorted = sortedNames(members).map((name) => [name, members.get(name) ?? value] as const);
  return "map" in type
    ? `{${sorted.map(([name, part]) => `${goQuoted(name)}:${setKey(part)};`).join("")}}`
    : `<${sorted.map(([, part]) => `${setKey(part)};`).join("")}>`;
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function goQuoted(text: string): string {
  const inside = text.replace(/[\\"]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return escapes[character] ?? `\\x${code.toString(16).padStart(2, "0")}`;
    return code < 0x1_0000
      ? `\\u${code.toString(16).padStart(4, "0")}`
      : `\\U${code.toString(16).padStart(8, "0")}`;
  });
  return `"${inside}"`;
}

/** Compares strings by their UTF-8 bytes, which is also the order of their code points. */
export function compareBytes(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === a.length || at === b.length) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  // A surrogate belongs to a code point above U+FFFF.
  return Number(isHalf(left)) - Number(isHalf(right)) || left - right;
}

const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Returns the names of a map or an object in Terraform's order. */
export const sortedNames = (members: ReadonlyMap<string, Value>): readonly string[] =>
  [...members.keys()].toSorted(compareBytes);
