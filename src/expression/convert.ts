import { CtyError, type CtyType, parseNumber } from "../provider-kit/values";
import { spend } from "./budget";
import { distinct, sortedElements } from "./equality";
import { fieldOf, sameType, typeName, unify } from "./types";
import { EvaluationError, NotKnown, primitiveText, Value } from "./value";

/**
 * Converts a value to a type, as Terraform does for attributes and arguments. Marks stay where they are.
 *
 * @throws EvaluationError when the value cannot be converted
 * @see {@link https://developer.hashicorp.com/terraform/language/expressions/types#type-conversion}
 */
export function convert(value: Value, type: CtyType): Value {
  if (type === "dynamic" || sameType(value.type, type)) return value;
  if (value.isNull) return new Value(withoutDynamic(type, value.type), null, value.isSensitive);
  if (value.content instanceof NotKnown) {
    if (value.type !== "dynamic" && !isConvertible(value.type, type)) throw unfit(type);
    return new Value(withoutDynamic(type, value.type), value.content, value.isSensitive);
  }
  const converted = typeof type === "string" ? primitive(value, type) : structure(value, type);
  return converted.marked(value.isSensitive || converted.isSensitive);
}

const required: Readonly<Record<string, string>> = {
  string: "a string is required",
  number: "a number is required",
  bool: "a bool is required",
};

const unfit = (type: CtyType): EvaluationError =>
  new EvaluationError(
    typeof type === "string"
      ? (required[type] ?? "unsuitable value")
      : `a ${typeName(type)} is required`,
  );

function primitive(value: Value, type: string): Value {
  const text = primitiveText(value);
  if (text === undefined) throw unfit(type as CtyType);
  if (type === "string") return Value.string(text);
  if (value.type !== "string") throw unfit(type as CtyType);
  if (type === "bool") {
    if (text === "true" || text === "1") return Value.bool(true);
    if (text === "false" || text === "0") return Value.bool(false);
    throw unfit("bool");
  }
  try {
    return Value.number(parseNumber(text));
  } catch (error) {
    if (error instanceof CtyError) throw unfit("number");
    throw error;
  }
}

type Structure = Exclude<CtyType, string>;

function structure(value: Value, type: Structure): Value {
  if ("object" in type) return toObject(value, type);
  if ("map" in type) return toMap(value, type.map);
  if ("tuple" in type) return toTuple(value, type.tuple);
  const elements = elementsOf(value, type);
  const element = elementType("list" in type ? type.list : type.set, elements, type);
  const converted = elements.map((each, at) => within(`[${at}]`, () => convert(each, element)));
  return "list" in type ? Value.list(element, converted) : setOf(element, converted);
}

/** Creates a set. A sensitive element marks the set as a whole, as in cty. */
export function setOf(element: CtyType, elements: readonly Value[]): Value {
  const isSensitive = elements.some((each) => each.containsSensitive);
  const unmarked = distinct(elements.map((one) => one.unmarked()));
  return new Value({ set: element }, sortedElements(element, unmarked), isSensitive);
}

function elementsOf(value: Value, type: Structure): readonly Value[] {
  if (typeof value.type === "string") throw unfit(type);
  if (!("list" in value.type || "set" in value.type || "tuple" in value.type)) throw unfit(type);
  return value.elements();
}

/** The element type of a collection: that of the target or, if that is any type, the common one. */
function elementType(wanted: CtyType, parts: readonly Value[], type: Structure): CtyType {
  if (wanted !== "dynamic") return wanted;
  const types = parts.map((part) => part.type).filter((each) => each !== "dynamic");
  const common = unify(parts.map((part) => part.type));
  const isMixed = types.some((each) => !sameType(each, types[0] ?? "dynamic"));
  if (common === undefined || (common === "dynamic" && isMixed)) {
    throw new EvaluationError(
      `all elements of a ${Object.keys(type).join()} must have the same type`,
    );
  }
  return common;
}

function toTuple(value: Value, types: readonly CtyType[]): Value {
  if (typeof value.type === "string" || !("tuple" in value.type)) throw unfit({ tuple: types });
  const elements = value.elements();
  if (elements.length !== types.length) {
    throw new EvaluationError(`a tuple of ${types.length} elements is required`);
  }
  return Value.tuple(
    elements.map((each, at) => within(`[${at}]`, () => convert(each, types[at] ?? "dynamic"))),
  );
}

function toMap(value: Value, wanted: CtyType): Value {
  if (typeof value.type === "string" || !("map" in value.type || "object" in value.type)) {
    throw unfit({ map: wanted });
  }
  const members = value.members();
  const element = elementType(wanted, [...members.values()], { map: wanted });
  return Value.map(
    element,
    new Map(
      [...members].map(([name, each]) => [
        name,
        within(`["${name}"]`, () => convert(each, element)),
      ]),
    ),
  );
}

function toObject(value: Value, type: Extract<Structure, { object: unknown }>): Value {
  if (typeof value.type === "string" || !("map" in value.type || "object" in value.type)) {
    throw unfit(type);
  }
  const members = value.members();
  const fields = type.object.map((field) => {
    const member = members.get(field.wire);
    if (member !== undefined) {
      return [field.wire, within(field.wire, () => convert(member, field.type))] as const;
    }
    if (field.optional !== true) throw new EvaluationError(`attribute "${field.wire}" is required`);
    return [field.wire, Value.null(field.type)] as const;
  });
  return new Value(
    { object: type.object.map(({ wire, name, type: of }) => ({ wire, name, type: of })) },
    new Map(fields),
  );
}

function within<T>(step: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { message } = error;
    const hasPath = /^[\w-]*[.[]?[^ ]*: /.test(message);
    throw new EvaluationError(`${step}${hasPath ? "." : ": "}${message}`);
  }
}

/** Checks whether values of a type can be converted to another, as far as their types tell. */
function isConvertible(from: CtyType, to: CtyType): boolean {
  spend(1);
  if (to === "dynamic" || from === "dynamic" || sameType(from, to)) return true;
  if (typeof to === "string") {
    return typeof from === "string" && (to === "string" || from === "string");
  }
  if (typeof from === "string") return false;
  if ("list" in to || "set" in to) {
    const element = "list" in to ? to.list : to.set;
    if ("list" in from) return isConvertible(from.list, element);
    if ("set" in from) return isConvertible(from.set, element);
    return "tuple" in from && from.tuple.every((type) => isConvertible(type, element));
  }
  if ("map" in to) {
    if ("map" in from) return isConvertible(from.map, to.map);
    return "object" in from && from.object.every(({ type }) => isConvertible(type, to.map));
  }
  if ("tuple" in to) {
    if (!("tuple" in from) || from.tuple.length !== to.tuple.length) return false;
    return from.tuple.every((type, at) => isConvertible(type, to.tuple[at] ?? "dynamic"));
  }
  if ("map" in from) return to.object.every(({ type }) => isConvertible(from.map, type));
  if (!("object" in from)) return false;
  return to.object.every(({ wire, type, optional }) => {
    const field = fieldOf(from.object, wire);
    return field === undefined ? optional === true : isConvertible(field.type, type);
  });
}

/** Fills in the parts of a type that accept any type, from the type of a value that has none itself. */
function withoutDynamic(type: CtyType, from: CtyType): CtyType {
  if (typeof type === "string" || typeof from === "string") return type;
  if ("list" in type && type.list === "dynamic") return "list" in from ? from : type;
  if ("set" in type && type.set === "dynamic") return "set" in from ? from : type;
  if ("map" in type && type.map === "dynamic") return "map" in from ? from : type;
  return type;
}
