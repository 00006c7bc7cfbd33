import type { CtyField, CtyType } from "../../core/provider-kit/values";
import { spend } from "./budget";

export const isList = (type: CtyType | undefined): type is { readonly list: CtyType } =>
  typeof type === "object" && "list" in type;

export const isSet = (type: CtyType | undefined): type is { readonly set: CtyType } =>
  typeof type === "object" && "set" in type;

export const isMap = (type: CtyType | undefined): type is { readonly map: CtyType } =>
  typeof type === "object" && "map" in type;

export const isTuple = (
  type: CtyType | undefined,
): type is { readonly tuple: readonly CtyType[] } => typeof type === "object" && "tuple" in type;

export const isObject = (
  type: CtyType | undefined,
): type is Extract<CtyType, { readonly object: unknown }> =>
  typeof type === "object" && "object" in type;

/** Checks whether values of a type have elements in an order: lists, sets and tuples. */
export const isSequence = (type: CtyType | undefined): boolean =>
  isList(type) || isSet(type) || isTuple(type);

/** The types of the parts: one for a collection, one for each element of a tuple or attribute of an object. */
export function partTypes(type: CtyType): readonly CtyType[] {
  if (typeof type === "string") return [];
  if ("list" in type) return [type.list];
  if ("set" in type) return [type.set];
  if ("map" in type) return [type.map];
  return "tuple" in type ? type.tuple : type.object.map((field) => field.type);
}

/** The type of the elements of a list, a set or a map; any type for other values. */
export const elementTypeOf = (type: CtyType | undefined): CtyType =>
  type === undefined || isTuple(type) || isObject(type)
    ? "dynamic"
    : (partTypes(type)[0] ?? "dynamic");

export function sameType(a: CtyType, b: CtyType): boolean {
  if (a === b) return true;
  if (typeof a === "string" || typeof b === "string") return false;
  spend(1);
  if ("list" in a) return "list" in b && sameType(a.list, b.list);
  if ("set" in a) return "set" in b && sameType(a.set, b.set);
  if ("map" in a) return "map" in b && sameType(a.map, b.map);
  if ("tuple" in a) {
    if (!("tuple" in b) || a.tuple.length !== b.tuple.length) return false;
    return a.tuple.every((type, at) => sameType(type, b.tuple[at] ?? "dynamic"));
  }
  if (!("object" in b) || a.object.length !== b.object.length) return false;
  return a.object.every(({ wire, type }, at) => {
    const same = b.object[at];
    const other = same?.wire === wire ? same : fieldOf(b.object, wire);
    return other !== undefined && sameType(type, other.type);
  });
}

/** Checks whether any type suits, or any type for a part. */
export function isOpen(type: CtyType): boolean {
  if (typeof type === "string") return type === "dynamic";
  spend(1);
  return partTypes(type).some(isOpen);
}

export function fieldOf(fields: readonly CtyField[], wire: string): CtyField | undefined {
  spend(fields.length >>> 3);
  return fields.find((field) => field.wire === wire);
}

/** The name of a type, as in Terraform's messages. */
export function typeName(type: CtyType): string {
  if (type === "dynamic") return "any type";
  if (typeof type === "string") return type;
  if ("list" in type) return `list of ${typeName(type.list)}`;
  if ("set" in type) return `set of ${typeName(type.set)}`;
  if ("map" in type) return `map of ${typeName(type.map)}`;
  return "tuple" in type ? "tuple" : "object";
}
