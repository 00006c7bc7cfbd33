import type { CtyField, CtyType } from "../provider-kit/values";
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

/**
 * Returns the type to which values of all given types can be converted without loss; undefined if there is no
 * such type.
 *
 * @see {@link https://github.com/zclconf/go-cty/blob/main/docs/convert.md#type-unification}
 */
export function unify(types: readonly CtyType[]): CtyType | undefined {
  const [first, ...others] = types;
  if (first === undefined) return "dynamic";
  spend(types.length);
  if (others.every((type) => sameType(type, first))) return first;
  const typed = types.filter((type) => type !== "dynamic");
  if (typed.length < types.length) {
    // Only next to primitives does the type of null not matter.
    return typed.every((type) => typeof type === "string")
      ? (unify(typed) ?? "dynamic")
      : "dynamic";
  }
  if (types.every((type) => typeof type === "string")) {
    return types.includes("string") ? "string" : undefined;
  }
  const structures = types.filter((type) => typeof type !== "string");
  if (structures.length < types.length) return undefined;
  return unifyMembers(structures) ?? unifyElements(structures);
}

type Structure = Exclude<CtyType, string>;

function unifyMembers(types: readonly Structure[]): CtyType | undefined {
  const objects = types.flatMap((type) => ("object" in type ? [type.object] : []));
  const maps = types.flatMap((type) => ("map" in type ? [type.map] : []));
  if (objects.length + maps.length < types.length) return undefined;
  const [first = []] = objects;
  const isSameShape = objects.every(
    (fields) =>
      fields.length === first.length &&
      fields.every(({ wire }) => fieldOf(first, wire) !== undefined),
  );
  if (maps.length === 0 && isSameShape) {
    const fields = first.map(({ wire }) => {
      const type = unify(objects.map((each) => fieldOf(each, wire)?.type ?? "dynamic"));
      return type === undefined ? undefined : { wire, name: wire, type };
    });
    const found = fields.filter((field) => field !== undefined);
    return found.length === fields.length ? { object: found } : undefined;
  }
  const element = unify([...objects.flatMap((fields) => fields.map(({ type }) => type)), ...maps]);
  return element === undefined ? undefined : { map: element };
}

function unifyElements(types: readonly Structure[]): CtyType | undefined {
  const tuples = types.flatMap((type) => ("tuple" in type ? [type.tuple] : []));
  const lists = types.flatMap((type) => ("list" in type ? [type.list] : []));
  const sets = types.flatMap((type) => ("set" in type ? [type.set] : []));
  if (tuples.length + lists.length + sets.length < types.length) return undefined;
  const [first = []] = tuples;
  if (tuples.length === types.length && tuples.every(({ length }) => length === first.length)) {
    const elements = first.map((_, at) => unify(tuples.map((tuple) => tuple[at] ?? "dynamic")));
    const found = elements.filter((type) => type !== undefined);
    return found.length === elements.length ? { tuple: found } : undefined;
  }
  // Lists and tuples are converted to a set, but do not change its type.
  const element = unify(sets.length > 0 ? sets : [...tuples.flat(), ...lists]);
  if (element === undefined) return undefined;
  return sets.length > 0 ? { set: element } : { list: element };
}
