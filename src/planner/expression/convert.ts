import { CtyError, type CtyType } from "../../core/provider-kit/values";
import { readNumber } from "./binary-float";
import { distinct, sortedElements } from "./equality";
import { elementTypeOf, isObject, isSet, isTuple, partTypes, sameType } from "./types";
import { elementFor, mismatch, mixed, requirement, settled, unify, within } from "./unify";
import { EvaluationError, primitiveText, Value } from "./value";

/**
 * Converts a value to a type, as Terraform does for attributes and arguments. Marks stay where they are.
 *
 * @throws EvaluationError when the value cannot be converted
 * @see {@link https://developer.hashicorp.com/terraform/language/expressions/types#type-conversion}
 */
export function convert(value: Value, type: CtyType): Value {
  if (type === "dynamic" || sameType(value.type, type)) return value;
  const problem = mismatch(value.type, type);
  if (problem !== undefined) throw new EvaluationError(problem);
  return converted(value, type);
}

/** Converts a value whose type allows it. Its content can still be wrong. */
function converted(value: Value, type: CtyType): Value {
  if (type === "dynamic" || sameType(value.type, type)) return value;
  if (value.isNull || !value.isKnown) {
    return new Value(settled(value.type, type), value.content, value.isSensitive);
  }
  const found = typeof type === "string" ? primitive(value, type) : structure(value, type);
  return found.marked(value.isSensitive || found.isSensitive);
}

function primitive(value: Value, type: CtyType): Value {
  const text = primitiveText(value) ?? "";
  if (type === "string") return Value.string(text);
  if (type === "bool") {
    if (text === "true" || text === "1") return Value.bool(true);
    if (text === "false" || text === "0") return Value.bool(false);
    throw new EvaluationError(requirement(type));
  }
  try {
    return Value.number(readNumber(text));
  } catch (error) {
    if (error instanceof CtyError) throw new EvaluationError(requirement(type));
    throw error;
  }
}

type Structure = Exclude<CtyType, string>;

function structure(value: Value, type: Structure): Value {
  if ("object" in type) return toObject(value, type);
  if ("map" in type) return toMap(value, type);
  if ("tuple" in type) {
    return Value.tuple(
      value.elements().map((each, at) => partOf(`[${at}]`, each, type.tuple[at] ?? "dynamic")),
    );
  }
  const isList = "list" in type;
  if (isList && lengthOf(value) === undefined) {
    // cty ignores the wanted type here.
    return Value.unknown({ list: elementTypeOf(value.type) }, ...value.reasons());
  }
  const wanted = elementOf(value, isList ? type.list : type.set);
  const elements = value.elements().map((each, at) => partOf(`[${at}]`, each, wanted));
  const found = uniform(isList ? unified(elements) : elements, wanted, type);
  return isList ? Value.list(found.type, found.parts) : setOf(found.type, found.parts);
}

/** The number of elements; undefined if it is not known, as in a set whose elements may turn out to be equal. */
export function lengthOf(value: Value): number | undefined {
  const { type } = value;
  if (isTuple(type)) return type.tuple.length;
  if (!value.isKnown) return undefined;
  const count = value.parts().length;
  return isSet(type) && count > 1 && !value.isWhollyKnown ? undefined : count;
}

/** The type to which the elements of a value are converted. An empty collection keeps its type. */
function elementOf(value: Value, wanted: CtyType): CtyType {
  const { type } = value;
  if (isTuple(type) || isObject(type)) return elementFor(partTypes(type), wanted) ?? wanted;
  const isEmpty = typeof type !== "string" && value.parts().length === 0;
  return wanted === "dynamic" && isEmpty ? elementTypeOf(type) : wanted;
}

/** Converts the parts, whose types now follow from their contents, to a common type. */
function unified(parts: readonly Value[]): readonly Value[] {
  const common = unify(parts.map((part) => part.type));
  return common === undefined ? parts : parts.map((part, at) => partOf(`[${at}]`, part, common));
}

/** Gives all parts one type. Null and unknown parts without a type take that of the others. */
function uniform(
  parts: readonly Value[],
  wanted: CtyType,
  of: Structure,
): { readonly type: CtyType; readonly parts: readonly Value[] } {
  if (parts.length === 0) return { type: settled("dynamic", wanted), parts };
  const first = parts.find((part) => part.type !== "dynamic")?.type ?? "dynamic";
  const isUniform = parts.every((part) => part.type === "dynamic" || sameType(part.type, first));
  if (!isUniform) throw new EvaluationError(mixed(of));
  return {
    type: first,
    parts: parts.map((part) =>
      part.type === first ? part : new Value(first, part.content, part.isSensitive),
    ),
  };
}

/** Creates a set. As in cty, a sensitive element makes the whole set sensitive. */
export function setOf(element: CtyType, elements: readonly Value[]): Value {
  const isSensitive = elements.some((each) => each.containsSensitive);
  const unmarked = distinct(elements.map((one) => one.unmarked()));
  return new Value({ set: element }, sortedElements(element, unmarked), isSensitive);
}

function toMap(value: Value, type: Extract<Structure, { map: unknown }>): Value {
  const wanted = elementOf(value, type.map);
  const members = [...value.members()].map(
    ([name, each]) => [name, partOf(`["${name}"]`, each, wanted)] as const,
  );
  const found = uniform(unified(members.map(([, each]) => each)), wanted, type);
  return Value.map(
    found.type,
    new Map(members.map(([name, each], at) => [name, found.parts[at] ?? each])),
  );
}

function toObject(value: Value, type: Extract<Structure, { object: unknown }>): Value {
  const members = value.members();
  const fields = type.object.map((field) => {
    const member = members.get(field.wire);
    if (member !== undefined) {
      const problem = mismatch(member.type, field.type);
      if (problem !== undefined) {
        throw new EvaluationError(within(field.wire, problem) ?? problem);
      }
      return [field.wire, partOf(field.wire, member, field.type)] as const;
    }
    if (field.optional !== true) throw new EvaluationError(`attribute "${field.wire}" is required`);
    return [field.wire, Value.null(settled("dynamic", field.type))] as const;
  });
  return Value.object(fields);
}

function partOf(step: string, part: Value, type: CtyType): Value {
  try {
    return converted(part, type);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new EvaluationError(within(step, error.message) ?? error.message);
  }
}
