import type { CtyType } from "../../core/provider-kit/values";
import { spend } from "./budget";
import { fieldOf, isMap, isObject, partTypes, sameType, typeName } from "./types";

type Structure = Exclude<CtyType, string>;
type Kind = "dynamic" | "primitive" | "list" | "set" | "map" | "tuple" | "object";

function kindOf(type: CtyType): Kind {
  if (typeof type === "string") return type === "dynamic" ? "dynamic" : "primitive";
  if ("list" in type) return "list";
  if ("set" in type) return "set";
  if ("map" in type) return "map";
  return "tuple" in type ? "tuple" : "object";
}

/**
 * Returns the type to which values of all given types can be converted, as cty does: types of one kind are joined part
 * by part; for types of several kinds, it is the most general one to which all convert. An open part leaves the whole
 * open.
 *
 * @returns undefined if there is no such type, or if no types are given
 * @see {@link https://github.com/zclconf/go-cty/blob/main/docs/convert.md#type-unification}
 */
export function unify(all: readonly CtyType[]): CtyType | undefined {
  spend(all.length);
  const types: CtyType[] = [];
  for (const type of all) if (!types.some((known) => sameType(known, type))) types.push(type);
  if (types.length <= 1) return types[0];
  const kinds = new Set(types.map(kindOf));
  const isOpen = kinds.delete("dynamic");
  const [kind] = kinds;
  if (kinds.size === 1 && kind !== undefined && kind !== "primitive") {
    return isOpen || kind === "dynamic" ? "dynamic" : joined(kind, types);
  }
  if (kinds.size === 2) {
    if (kinds.has("object") && kinds.has("tuple")) return undefined;
    let found: CtyType | undefined;
    if (kinds.has("map") && kinds.has("object")) found = collected("object", "map", types);
    if (kinds.has("list") && kinds.has("tuple")) found = collected("tuple", "list", types);
    if (found !== undefined) return found;
  }
  return mostGeneral(types).find((wanted) =>
    types.every((type) => mismatch(type, wanted) === undefined),
  );
}

/** Joins types of one kind. Objects or tuples of different shapes become a collection. */
function joined(kind: Exclude<Kind, "dynamic" | "primitive">, types: readonly CtyType[]) {
  const structures = types.filter((type) => typeof type !== "string");
  switch (kind) {
    case "list":
    case "set":
    case "map": {
      const part = unify(structures.flatMap(partTypes));
      return part === undefined ? undefined : collection(kind, part);
    }
    case "tuple": {
      const tuples = structures.flatMap((type) => ("tuple" in type ? [type.tuple] : []));
      const [first = []] = tuples;
      if (tuples.some(({ length }) => length !== first.length)) return asOne("list", structures);
      const parts = first.map((_, at) => unify(tuples.map((tuple) => tuple[at] ?? "dynamic")));
      return parts.includes(undefined)
        ? undefined
        : { tuple: parts.map((part) => part ?? "dynamic") };
    }
    case "object": {
      const objects = structures.flatMap((type) => ("object" in type ? [type.object] : []));
      const [first = []] = objects;
      const isSameShape = objects.every(
        (fields) =>
          fields.length === first.length &&
          fields.every(({ wire }) => fieldOf(first, wire) !== undefined),
      );
      if (!isSameShape) return asOne("map", structures);
      const fields = first.map(({ wire }) => {
        const type = unify(objects.map((each) => fieldOf(each, wire)?.type ?? "dynamic"));
        return type === undefined ? undefined : { wire, name: wire, type };
      });
      const found = fields.filter((field) => field !== undefined);
      return found.length === fields.length ? { object: found } : undefined;
    }
  }
}

function collection(kind: "list" | "set" | "map", part: CtyType): CtyType {
  if (kind === "list") return { list: part };
  return kind === "set" ? { set: part } : { map: part };
}

/** The collection that holds all parts of tuples or objects. */
function asOne(kind: "list" | "map", types: readonly CtyType[]): CtyType | undefined {
  const part = unify(types.flatMap(partTypes));
  if (part === undefined) return undefined;
  const wanted = collection(kind, part);
  return types.every((type) => mismatch(type, wanted) === undefined) ? wanted : undefined;
}

/** Joins collections with tuples or objects, which convert to them. */
function collected(
  structure: "object" | "tuple",
  kind: "map" | "list",
  types: readonly CtyType[],
): CtyType | undefined {
  const found = asOne(
    kind,
    types.filter((type) => kindOf(type) === structure),
  );
  if (found === undefined) return undefined;
  const common = unify([...types.filter((type) => kindOf(type) !== structure), found]);
  return common !== undefined && kindOf(common) === kind ? common : undefined;
}

/** Sorts types so that the more general ones come first. */
function mostGeneral(types: readonly CtyType[]): readonly CtyType[] {
  const below = types.map((type) => types.filter((other) => generality(type, other) < 0));
  const above = new Map(types.map((type) => [type, 0]));
  for (const type of below.flat()) above.set(type, (above.get(type) ?? 0) + 1);
  const sorted = types.filter((type) => above.get(type) === 0);
  for (const type of sorted) {
    for (const other of below[types.indexOf(type)] ?? []) {
      const left = (above.get(other) ?? 0) - 1;
      above.set(other, left);
      if (left === 0) sorted.push(other);
    }
  }
  return sorted;
}

/** The order of generality of kinds between which values convert. */
const ranks: Partial<Record<Kind, readonly [family: string, rank: number]>> = {
  list: ["sequence", 0],
  tuple: ["sequence", 1],
  set: ["sequence", 2],
  map: ["members", 0],
  object: ["members", 1],
};

/** Negative if the first type is more general than the second, zero if neither is. */
function generality(a: CtyType, b: CtyType): number {
  spend(1);
  if (a === b) return 0;
  if (a === "dynamic" || b === "dynamic") return a === "dynamic" ? 1 : -1;
  if (typeof a === "string" || typeof b === "string") {
    if (typeof a !== typeof b) return 0;
    return Number(b === "string") - Number(a === "string");
  }
  const [left, right] = [ranks[kindOf(a)], ranks[kindOf(b)]];
  if (left?.[0] !== right?.[0]) return 0;
  const difference = (left?.[1] ?? 0) - (right?.[1] ?? 0);
  return difference === 0 ? generalityOfParts(a, b) : difference;
}

function generalityOfParts(a: Structure, b: Structure): number {
  const [left, right] = [partTypes(a), partsLike(a, b)];
  if (right === undefined || left.length !== right.length) return 0;
  const signs = new Set(left.map((part, at) => Math.sign(generality(part, right[at] ?? part))));
  if (signs.has(-1) && signs.has(1)) return 0;
  return signs.has(-1) ? -1 : Number(signs.has(1));
}

/** The types of the second type's parts, in the order of the first; undefined if the attributes differ. */
function partsLike(a: Structure, b: Structure): readonly CtyType[] | undefined {
  if (!("object" in a) || !("object" in b)) return partTypes(b);
  if (a.object.length !== b.object.length) return undefined;
  const types = a.object.map(({ wire }) => fieldOf(b.object, wire)?.type);
  return types.includes(undefined) ? undefined : types.map((type) => type ?? "dynamic");
}

/** The message for a value that cannot be converted. */
export const requirement = (type: CtyType): string =>
  `${isObject(type) ? "an" : "a"} ${typeName(type)} is required`;

/** Adds the part of a value to a problem with it. */
export function within(step: string, problem: string | undefined): string | undefined {
  if (problem === undefined) return undefined;
  const hasPath = /^[\w-]*[.[]?[^ ]*: /.test(problem);
  return `${step}${hasPath ? "." : ": "}${problem}`;
}

const firstOf = <T>(
  parts: readonly T[],
  problem: (part: T, at: number) => string | undefined,
): string | undefined => {
  for (const [at, part] of parts.entries()) {
    const found = problem(part, at);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Returns why values of a type cannot be converted to another; undefined if the types allow it. */
export function mismatch(from: CtyType, to: CtyType): string | undefined {
  spend(1);
  if (to === "dynamic" || from === "dynamic" || sameType(from, to)) return undefined;
  if (typeof to === "string" || typeof from === "string") {
    const isPrimitive = typeof to === typeof from && (to === "string" || from === "string");
    return isPrimitive ? undefined : requirement(to);
  }
  if ("list" in to || "set" in to) {
    const element = "list" in to ? to.list : to.set;
    if ("tuple" in from) return mismatchOfParts(from.tuple, element, to);
    if ("list" in from) return mismatch(from.list, element);
    return "set" in from ? mismatch(from.set, element) : requirement(to);
  }
  if ("map" in to) {
    if ("map" in from) return mismatch(from.map, to.map);
    return "object" in from ? mismatchOfParts(partTypes(from), to.map, to) : requirement(to);
  }
  if ("tuple" in to) {
    if (!("tuple" in from) || from.tuple.length !== to.tuple.length) {
      return `a tuple of ${to.tuple.length} elements is required`;
    }
    return firstOf(to.tuple, (type, at) =>
      within(`[${at}]`, mismatch(from.tuple[at] ?? "dynamic", type)),
    );
  }
  if ("map" in from) {
    const { map } = from;
    return firstOf(to.object, ({ wire, type, optional }) =>
      optional === true ? undefined : within(wire, mismatch(map, type)),
    );
  }
  if (!("object" in from)) return requirement(to);
  return firstOf(to.object, ({ wire, type, optional }) => {
    const field = fieldOf(from.object, wire);
    if (field !== undefined) return within(wire, mismatch(field.type, type));
    return optional === true ? undefined : `attribute "${wire}" is required`;
  });
}

/** Like {@link mismatch}, from the parts of a tuple or an object to the elements of a collection. */
function mismatchOfParts(
  parts: readonly CtyType[],
  wanted: CtyType,
  to: Structure,
): string | undefined {
  const element = elementFor(parts, wanted);
  const isMixed = element === "dynamic" && wanted === "dynamic" && !("map" in to);
  if (element === undefined || (isMixed && parts.some((part) => part !== "dynamic"))) {
    return mixed(to);
  }
  return firstOf(parts, (type, at) => within(`[${at}]`, mismatch(type, element)));
}

export const mixed = (type: Structure): string =>
  `all elements of a ${kindOf(type)} must have the same type`;

/** The element type of a collection made of parts: the wanted type or, if that is open, the common one. */
export const elementFor = (parts: readonly CtyType[], wanted: CtyType): CtyType | undefined =>
  wanted !== "dynamic" || parts.length === 0 ? wanted : unify(parts);

/** The type of a null or unknown value after its conversion: its own type fills in what the wanted type leaves open. */
export function settled(from: CtyType, to: CtyType): CtyType {
  spend(1);
  if (to === "dynamic") return from;
  if (typeof to === "string") return to;
  const part = (wanted: CtyType): CtyType => settled(unify(partTypes(from)) ?? "dynamic", wanted);
  if ("list" in to) return { list: part(to.list) };
  if ("set" in to) return { set: part(to.set) };
  if ("map" in to) return { map: part(to.map) };
  if ("tuple" in to) {
    return { tuple: to.tuple.map((type, at) => settled(partTypes(from)[at] ?? "dynamic", type)) };
  }
  const typeIn = (wire: string): CtyType => {
    if (isMap(from)) return from.map;
    return (isObject(from) ? fieldOf(from.object, wire)?.type : undefined) ?? "dynamic";
  };
  return {
    object: to.object.map(({ wire, name, type }) => ({
      wire,
      name,
      type: settled(typeIn(wire), type),
    })),
  };
}
