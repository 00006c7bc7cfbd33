import type { CtyField, CtyType } from "../../core/provider-kit/values";
import { spend } from "./budget";

/** Checks whether two types are the same. */
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

/** Checks whether a type leaves open what it or a part of it is. */
export function isOpen(type: CtyType): boolean {
  if (typeof type === "string") return type === "dynamic";
  spend(1);
  if ("list" in type) return isOpen(type.list);
  if ("set" in type) return isOpen(type.set);
  if ("map" in type) return isOpen(type.map);
  return "tuple" in type
    ? type.tuple.some(isOpen)
    : type.object.some((field) => isOpen(field.type));
}

/** Returns the field of an object type with a name. */
export function fieldOf(fields: readonly CtyField[], wire: string): CtyField | undefined {
  spend(fields.length >>> 3);
  return fields.find((field) => field.wire === wire);
}

/** The name of a type as Terraform's messages write it. */
export function typeName(type: CtyType): string {
  if (type === "dynamic") return "any type";
  if (typeof type === "string") return type;
  if ("list" in type) return `list of ${typeName(type.list)}`;
  if ("set" in type) return `set of ${typeName(type.set)}`;
  if ("map" in type) return `map of ${typeName(type.map)}`;
  return "tuple" in type ? "tuple" : "object";
}
