import { isRecord } from "../json/plain-json";
import type { Attribute, Fields } from "./attribute";
import type { Type } from "./type";
import type { Path } from "./finding";
import type { Values } from "./resource-rule";

interface Place {
  readonly attribute: Attribute;
  /** The path of the attribute, such as `ids_endpoint.labels`. */
  readonly at: string;
  /** The path of the outermost set that contains the attribute. */
  readonly set: string | undefined;
}

/** Lists the attributes of a declaration, block or object at any depth. */
function* attributesIn(
  { attributes, blocks = {} }: Fields,
  at: string,
  set?: string,
): Generator<Place> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const path = `${at}.${name}`;
    yield { attribute, at: path, set };
    yield* attributesOf(attribute.type, path, set);
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const path = `${at}.${name}`;
    yield* attributesIn(fields, path, set ?? (nesting === "set" ? path : undefined));
  }
}

function* attributesOf(type: Type, at: string, outer?: string): Generator<Place> {
  const set = outer ?? (type.kind === "set" ? at : undefined);
  if (type.kind === "object") yield* attributesIn(type.fields, at, set);
  else if ("of" in type) yield* attributesOf(type.of, at, set);
}

/** Checks whether an attribute of a declaration, block or object fulfils a condition, at any depth. */
export function someAttribute(fields: Fields, is: (attribute: Attribute) => boolean): boolean {
  for (const { attribute } of attributesIn(fields, "")) if (is(attribute)) return true;
  return false;
}

/** Checks whether a declaration, block or object has a write-only attribute at any depth. */
export const hasWriteOnly = (fields: Fields): boolean =>
  someAttribute(fields, ({ writeOnly }) => writeOnly === true);

/** @throws Error when an attribute is write-only where Terraform does not allow it */
export function checkWriteOnly(
  declaration: Fields & { readonly kind: string; readonly type: string },
): void {
  const { kind } = declaration;
  for (const { attribute, at, set } of attributesIn(declaration, declaration.type)) {
    if (attribute.writeOnly !== true) continue;
    if (kind !== "resource" && kind !== "action") {
      throw new Error(
        `${declaration.type}: only attributes of resources and actions can be write-only (this is a declaration of kind "${kind}")`,
      );
    }
    if (set !== undefined) throw new Error(`${set}: a set cannot contain write-only attributes`);
    if (isNested(attribute.type)) {
      throw new Error(
        `${at}: an object cannot be write-only; declare its attributes as write-only`,
      );
    }
    if (attribute.requiresReplace === true) {
      throw new Error(
        `${at}: a write-only attribute cannot replace the resource: Terraform does not see its change`,
      );
    }
  }
}

const isNested = (type: Type): boolean =>
  type.kind === "object" || ("of" in type && isNested(type.of));

/** Checks whether a declaration, block or object has an attribute with `semanticEquals` at any depth. */
export const hasSemanticEquality = (fields: Fields): boolean => someAttribute(fields, isSemantic);

const isSemantic = (attribute: Attribute): boolean => attribute.semanticEquals !== undefined;

/** @throws Error when an attribute with `semanticEquals` is inside a set */
export function checkSemanticEquality(declaration: Fields & { readonly type: string }): void {
  for (const { attribute, set } of attributesIn(declaration, declaration.type)) {
    if (set === undefined || !isSemantic(attribute)) continue;
    throw new Error(
      `${set}: an attribute inside a set cannot have semanticEquals: Terraform identifies elements by value`,
    );
  }
}

/** Checks whether a declaration, block or object has an attribute that is never null, at any depth. */
export const hasNeverNull = (fields: Fields): boolean => someAttribute(fields, isNeverNull);

const isNeverNull = ({ neverNull }: Attribute): boolean => neverNull === true;

/**
 * Returns the path of the first value that is null although it is declared as never null; undefined if no
 * value is.
 */
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
    const value = values[name];
    const found =
      nesting === "single"
        ? isRecord(value) && forbiddenNull(fields, value, [...path, name])
        : inElements(value, [...path, name], (each, at) =>
            isRecord(each) ? forbiddenNull(fields, each, at) : undefined,
          );
    if (found !== false && found !== undefined) return found;
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
