import type { CtyType } from "../../../core/provider-kit/values";
import { convert } from "../convert";
import { compareBytes, equals, sortedNames } from "../equality";
import type { TerraformFunction } from "../function";
import { fieldOf, isList, isMap, isObject, isSequence, isSet, isTuple, sameType } from "../types";
import { unify } from "../unify";
import { EvaluationError, NotComputed, textOf, unknownFrom, Value } from "../value";
import { openParameter, stringOf, stringsOf, elementsOf } from "./arguments";

function requireMap(type: CtyType | undefined): void {
  if (!isMap(type) && !isObject(type)) throw new EvaluationError("A map or an object is required.");
}

const namesOf = (type: CtyType | undefined): readonly string[] =>
  isObject(type) ? type.object.map(({ wire }) => wire).toSorted(compareBytes) : [];

const keysType = (type: CtyType | undefined): CtyType => {
  requireMap(type);
  return isMap(type) ? { list: "string" } : { tuple: namesOf(type).map(() => "string") };
};

function lookupType([map, key, fallback, ...more]: readonly Value[]): CtyType {
  if (more.length > 0) throw new EvaluationError("Two or three arguments are required.");
  requireMap(map?.type);
  if (isMap(map?.type)) {
    if (fallback !== undefined) convert(fallback, map.type.map);
    return map.type.map;
  }
  if (key?.isKnown !== true || !isObject(map?.type)) return "dynamic";
  const type = fieldOf(map.type.object, textOf(key))?.type ?? fallback?.type;
  if (type === undefined) throw new EvaluationError("The object has no attribute with this name.");
  return type;
}

/** The type of merged maps and objects: a map only if all of them have the same type. */
function mergeType(args: readonly Value[]): CtyType {
  const types = args.map(({ type }) => type);
  for (const type of types) {
    if (type === "dynamic") return "dynamic";
    requireMap(type);
  }
  const [first = { object: [] }] = types;
  if (types.every((type) => sameType(type, first))) return first;
  if (args.some((each) => isMap(each.type) && !each.isKnown)) return "dynamic";
  const merged = new Map(
    args.flatMap((each) => {
      const { type } = each;
      if (isObject(type) && !each.isNull) {
        return type.object.map((field) => [field.wire, field.type] as const);
      }
      const element = isMap(type) ? type.map : "dynamic";
      return [...each.members().keys()].map((name) => [name, element] as const);
    }),
  );
  return { object: [...merged].map(([name, type]) => ({ wire: name, name, type })) };
}

const anyList = { list: "dynamic" } as const;

function requireSameLength(values: Value, keyList: Value): void {
  if (!values.isKnown || !keyList.isKnown || values.parts().length === keyList.parts().length)
    return;
  throw new EvaluationError("There must be as many keys as values.");
}

const listsOfStrings = { map: { list: "string" } } as const;

const valuesType = (type: CtyType | undefined): CtyType => {
  requireMap(type);
  if (isMap(type)) return { list: type.map };
  const fields = isObject(type) ? type.object : [];
  return { tuple: namesOf(type).map((name) => fieldOf(fields, name)?.type ?? "dynamic") };
};

function zipmapType([, list]: readonly Value[]): CtyType {
  if (isList(list?.type)) return { map: list.type.list };
  if (!isTuple(list?.type)) throw new EvaluationError("The values must be a list or a tuple.");
  return "dynamic";
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/keys} and its neighbours */
export const mapFunctions: Readonly<Record<string, TerraformFunction>> = {
  keys: {
    parameters: [{ name: "inputMap", type: "dynamic", allowsUnknown: true, allowsSensitive: true }],
    returns: ([map]) => keysType(map?.type),
    call: ([map = Value.null()]) => {
      const type = keysType(map.type);
      if (!isMap(map.type)) return Value.tuple(namesOf(map.type).map(stringOf)).markedLike(map);
      const found = map.isKnown ? stringsOf(sortedNames(map.members())) : unknownFrom(type, [map]);
      return found.markedLike(map);
    },
  },
  lookup: {
    parameters: [
      { name: "inputMap", type: "dynamic", allowsUnknown: true, allowsSensitive: true },
      { name: "key", type: "string", allowsUnknown: true, allowsSensitive: true },
    ],
    rest: openParameter("default"),
    returns: lookupType,
    call: (args) => {
      const [map = Value.null(), key = Value.null(), fallback] = args;
      const type = lookupType(args);
      if (!map.isKnown || !key.isKnown) return unknownFrom(type, [map, key]).markedLike(map, key);
      const member = map.members().get(textOf(key));
      if (member !== undefined) return member.markedLike(map, key);
      if (fallback === undefined)
        throw new EvaluationError("The map has no element with this key, and there is no default.");
      return convert(fallback, type).markedLike(map, key);
    },
  },
  matchkeys: {
    parameters: ["values", "keys", "searchset"].map((name) => ({
      name,
      type: anyList,
      isWhollyKnown: true,
    })),
    returns: ([values = Value.null(), keyList = Value.null()]) => {
      requireSameLength(values, keyList);
      return values.type;
    },
    call: ([values = Value.null(), keyList = Value.null(), searched = Value.null()]) => {
      const type = unify([keyList.type, searched.type]);
      if (type === undefined) {
        throw new EvaluationError("The keys and the search set must have the same type.");
      }
      const wanted = convert(searched, type).elements();
      const present = convert(keyList, type).elements();
      const elements = elementsOf(values);
      requireSameLength(values, keyList);
      const found = elements.filter((_, at) =>
        wanted.some((each) => equals(each, present[at] ?? Value.null()) === true),
      );
      return new Value(values.type, found);
    },
  },
  merge: {
    parameters: [],
    rest: {
      name: "maps",
      type: "dynamic",
      allowsNull: true,
      allowsAnyType: true,
      allowsSensitive: true,
    },
    returns: mergeType,
    call: (args) => {
      const type = mergeType(args);
      for (const each of args) {
        // Terraform stops checking once a type is open, and accepts anything that it can iterate over.
        const isEmpty = isSequence(each.type) && each.elements().length === 0;
        if (isSet(each.type) && !isEmpty) throw new NotComputed();
        if (!each.isNull && !isEmpty) requireMap(each.type);
      }
      const merged = new Map(args.flatMap((each) => [...each.members()]));
      const result = isMap(type) ? Value.map(type.map, merged) : Value.object(merged);
      if (args.every((each) => each.isNull) && isObject(type) && type.object.length > 0) {
        throw new EvaluationError("At least one of the objects must not be null.");
      }
      return result.markedLike(...args);
    },
  },
  transpose: {
    parameters: [{ name: "values", type: listsOfStrings, isWhollyKnown: true }],
    returns: listsOfStrings,
    call: ([map]) => {
      const members = map?.members() ?? new Map<string, Value>();
      const names = new Map<string, string[]>();
      for (const name of sortedNames(members)) {
        const list = members.get(name);
        if (list?.isNull === true || elementsOf(list).some((each) => each.isNull)) {
          throw new EvaluationError("The map must not contain null values.");
        }
        for (const each of elementsOf(list).map(textOf)) {
          const known = names.get(each);
          if (known === undefined) names.set(each, [name]);
          else known.push(name);
        }
      }
      return Value.map(
        listsOfStrings.map,
        new Map([...names].map(([name, found]) => [name, stringsOf(found)])),
      );
    },
  },
  values: {
    parameters: [{ name: "mapping", type: "dynamic", allowsSensitive: true }],
    returns: ([map]) => valuesType(map?.type),
    call: ([map = Value.null()]) => {
      const type = valuesType(map.type);
      const members = map.members();
      const found = sortedNames(members).flatMap((name) => members.get(name) ?? []);
      return new Value(type, found, map.isSensitive);
    },
  },
  zipmap: {
    parameters: [
      { name: "keys", type: { list: "string" }, allowsSensitive: true },
      { name: "values", type: "dynamic", allowsSensitive: true },
    ],
    returns: zipmapType,
    call: (args) => {
      const [keyList = Value.null(), list = Value.null()] = args;
      const type = zipmapType(args);
      const names = keyList.elements();
      const isSensitive = [keyList, list, ...names].some((each) => each.isSensitive);
      if (!keyList.isWhollyKnown) return unknownFrom(type, [keyList]).marked(isSensitive);
      const elements = list.elements();
      if (names.length !== elements.length || names.some((each) => each.isNull)) {
        throw new EvaluationError("There must be as many keys as values, and no key must be null.");
      }
      const members = new Map(
        names.map((name, at) => [textOf(name), elements[at] ?? Value.null()]),
      );
      const result = isMap(type) ? Value.map(type.map, members) : Value.object(members);
      return result.marked(isSensitive);
    },
  },
};
