import { isRecord } from "../json/plain-json";
import type { Attribute, Block, Fields, Nesting } from "./attribute";
import type { Path } from "./finding";
import type { Values } from "./resource-rule";
import type { Type } from "./type";
import { warning } from "./warning";

/** An attribute or a block of a declaration, and where it is. */
export interface Place {
  readonly name: string;
  /** The path of the declaration, block or object that it belongs to. */
  readonly parent: string;
  readonly attribute?: Attribute;
  readonly block?: Block;
  /** Its path, such as `ids_endpoint.labels`. */
  readonly at: string;
  readonly depth: number;
  /** True inside a list, set, map or repeated block. */
  readonly isInCollection: boolean;
  /** The path of the outermost set that contains it. */
  readonly set?: string | undefined;
}

type Outer = Pick<Place, "at" | "depth" | "isInCollection" | "set">;

/** Lists what a declaration, block or object declares, at any depth. */
export function* placesIn(
  { attributes, blocks = {} }: Fields,
  outer: Outer = root,
): Generator<Place> {
  const inside = (name: string) => ({
    ...outer,
    name,
    parent: outer.at,
    at: `${outer.at}.${name}`,
    depth: outer.depth + 1,
  });
  for (const [name, attribute] of Object.entries(attributes)) {
    const place = { ...inside(name), attribute };
    yield place;
    yield* placesOf(attribute.type, place);
  }
  for (const [name, block] of Object.entries(blocks)) {
    const place = { ...inside(name), block };
    yield place;
    yield* placesIn(block.fields, nested(place, block.nesting));
  }
}

function* placesOf(type: Type, outer: Outer): Generator<Place> {
  if (type.kind === "object") yield* placesIn(type.fields, outer);
  else if ("of" in type) yield* placesOf(type.of, nested(outer, type.kind));
}

const nested = (outer: Outer, kind: Nesting | Type["kind"]): Outer => ({
  at: outer.at,
  depth: outer.depth,
  isInCollection: outer.isInCollection || kind !== "single",
  set: outer.set ?? (kind === "set" ? outer.at : undefined),
});

/** Checks whether an attribute of a declaration, block or object fulfils a condition, at any depth. */
export function someAttribute(fields: Fields, is: (attribute: Attribute) => boolean): boolean {
  for (const { attribute } of placesIn(fields)) {
    if (attribute !== undefined && is(attribute)) return true;
  }
  return false;
}

const root: Outer = { at: "", depth: 0, isInCollection: false };

/** Checks whether a declaration, block or object has a write-only attribute at any depth. */
export const hasWriteOnly = (fields: Fields): boolean =>
  someAttribute(fields, ({ writeOnly }) => writeOnly === true);

/** Checks whether a declaration, block or object has an attribute with a default at any depth. */
export const hasDefault = (fields: Fields): boolean =>
  someAttribute(fields, ({ default: value }) => value !== undefined);

/**
 * Returns a value as JSON that is the same for equal values: without names, and with sets in order.
 *
 * @param isFull fills in the defaults of nested attributes
 */
export function comparable(type: Type, value: unknown, isFull: boolean): unknown {
  if (typeof value === "bigint" || typeof value === "number") return `#${value}`;
  if (!isRecord(value)) return value ?? null;
  if (type.kind === "object") {
    return Object.entries(type.fields.attributes).map(([name, attribute]) =>
      comparable(attribute.type, value[name] ?? (isFull ? attribute.default : null), isFull),
    );
  }
  if (!("of" in type)) return value;
  const parts = Object.entries(value).map(([key, each]) => [
    Array.isArray(value) ? null : key,
    comparable(type.of, each, isFull),
  ]);
  return type.kind === "list" ? parts : parts.map((part) => JSON.stringify(part)).sort();
}

/** Checks whether a declaration, block or object has `semanticEquals` at any depth. */
export function hasSemanticEquality(fields: Fields): boolean {
  for (const { attribute, block } of placesIn(fields)) {
    if ((attribute ?? block)?.semanticEquals !== undefined) return true;
  }
  return false;
}

/** Checks whether a declaration, block or object has an attribute that is never null, at any depth. */
export const hasNeverNull = (fields: Fields): boolean => someAttribute(fields, isNeverNull);

const isNeverNull = ({ neverNull }: Attribute): boolean => neverNull === true;

/** Returns the path of the first null that is declared as never null; undefined if there are no such nulls. */
export function forbiddenNull(
  { attributes, blocks = {} }: Fields,
  values: Values,
  path: Path = [],
): Path | undefined {
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name] ?? null;
    if (value === null && isNeverNull(attribute)) return [...path, name];
    const found = inType(attribute.type, value, [...path, name]);
    if (found !== undefined) return found;
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const inBlock = (value: unknown, at: Path): Path | undefined =>
      isRecord(value) ? forbiddenNull(fields, value, at) : undefined;
    const at = [...path, name];
    const found =
      nesting === "single" ? inBlock(values[name], at) : inElements(values[name], at, inBlock);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inType(type: Type, value: unknown, path: Path): Path | undefined {
  if (!isRecord(value)) return undefined;
  if (type.kind === "object") return forbiddenNull(type.fields, value, path);
  if (!("of" in type)) return undefined;
  return inElements(value, path, (each, at) => inType(type.of, each, at));
}

function inElements(
  value: unknown,
  path: Path,
  search: (each: unknown, path: Path) => Path | undefined,
): Path | undefined {
  if (!isRecord(value)) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const found = search(each, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the code of the warning about a deprecated attribute or block: `deprecated-sidebar-app`. */
export const deprecationCode = (name: string): string =>
  `deprecated-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")}`;

/** Defines the warnings about everything that a declaration deprecates. What to use instead is in each warning. */
export function defineDeprecations(fields: Fields): void {
  for (const { name, attribute, block } of placesIn(fields)) {
    if ((attribute ?? block)?.deprecated === undefined) continue;
    warning(deprecationCode(name), `\`${name}\` is deprecated`);
  }
}
