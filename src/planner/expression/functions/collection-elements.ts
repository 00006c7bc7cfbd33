import type { CtyType } from "../../../core/provider-kit/values";
import { add, compareNumbers } from "../arithmetic";
import { convert, lengthOf } from "../convert";
import { equals } from "../equality";
import type { TerraformFunction } from "../function";
import { unify } from "../unify";
import {
  EvaluationError,
  isNumber,
  NotComputed,
  terraformVersion,
  unknownFrom,
  Value,
} from "../value";
import {
  anyParameter,
  numberOf,
  numberParameter,
  openParameter,
  elementsOf,
  requireIndexed,
  requireSequence,
} from "./arguments";
import { graphemesOf } from "./characters";
import { elementTypeOf, isList, isMap, isObject, isSequence, isTuple } from "../types";

const coalesceType = (args: readonly Value[]): CtyType => {
  const type = unify(args.map((each) => each.type));
  if (type === undefined) throw new EvaluationError("All arguments must have the same type.");
  return type;
};

/** Terraform skips what cannot be converted. */
function convertible(value: Value, type: CtyType): Value | undefined {
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

function countOf(value: Value): Value {
  const { type, content } = value;
  if (isObject(type)) return Value.number(type.object.length);
  const isCounted = type === "string" || type === "dynamic" || isMap(type) || isSequence(type);
  if (!isCounted) throw new EvaluationError("A string or a collection is required.");
  const count = typeof content === "string" ? graphemesOf(content).length : lengthOf(value);
  return count === undefined ? unknownFrom("number", [value]) : Value.number(count);
}

function oneType(type: CtyType | undefined): CtyType {
  requireSequence(type);
  if (!isTuple(type)) return elementTypeOf(type);
  if (type.tuple.length > 1)
    throw new EvaluationError("The list must not have more than one element.");
  return type.tuple[0] ?? "dynamic";
}

const maxRange = 1024;

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/alltrue} and its neighbours */
export const elementFunctions: Readonly<Record<string, TerraformFunction>> = {
  // Stops at the first element that is not true; if that one is unknown, so is the result.
  alltrue: {
    parameters: [{ name: "list", type: { list: "bool" } }],
    returns: "bool",
    call: ([list]) => {
      const first = elementsOf(list).find((each) => each.content !== true);
      return first?.isKnown === false
        ? unknownFrom("bool", [first])
        : Value.bool(first === undefined);
    },
  },
  anytrue: {
    parameters: [{ name: "list", type: { list: "bool" } }],
    returns: "bool",
    call: ([list]) => {
      const elements = elementsOf(list);
      if (elements.some(({ content }) => content === true)) return Value.bool(true);
      const unknown = elements.filter(({ isKnown }) => !isKnown);
      return unknown.length > 0 ? unknownFrom("bool", unknown) : Value.bool(false);
    },
  },
  coalesce: {
    parameters: [],
    rest: { ...openParameter("vals"), allowsSensitive: false },
    returns: coalesceType,
    call: (args) => {
      const type = coalesceType(args);
      const found = args
        .flatMap((each) => convertible(each, type) ?? [])
        .find(({ content }) => content !== null && !(type === "string" && content === ""));
      if (found === undefined) {
        throw new EvaluationError(
          "At least one argument must be neither null nor an empty string.",
        );
      }
      return found.isKnown ? found : unknownFrom(type, [found]);
    },
  },
  coalescelist: {
    parameters: [],
    rest: { ...openParameter("vals"), allowsSensitive: false },
    returns: "dynamic",
    call: (args) => {
      if (args.length === 0) throw new EvaluationError("At least one argument is required.");
      const known = args.findIndex((each) => !each.isKnown);
      const checked = known === -1 ? args : args.slice(0, known);
      if (!checked.every(({ type }) => isList(type) || isTuple(type))) {
        throw new EvaluationError("All arguments must be lists or tuples.");
      }
      const found = args.find((each) => !each.isKnown || each.elements().length > 0);
      if (found === undefined)
        throw new EvaluationError("At least one argument must be a list that is not empty.");
      return found.isKnown ? found : unknownFrom("dynamic", [found]);
    },
  },
  contains: {
    parameters: [anyParameter("list"), { ...anyParameter("value"), allowsNull: true }],
    returns: "bool",
    call: ([list, value = Value.null()]) => {
      requireSequence(list?.type);
      if (value.isNull) throw new NotComputed(terraformVersion);
      const results = elementsOf(list).map((each) => equals(value, each));
      if (results.includes(true)) return Value.bool(true);
      return results.includes(undefined)
        ? unknownFrom("bool", [value, ...elementsOf(list)])
        : Value.bool(false);
    },
  },
  index: {
    parameters: [anyParameter("list"), anyParameter("value")],
    returns: "number",
    call: ([list, value = Value.null()]) => {
      requireIndexed(list?.type);
      const elements = elementsOf(list);
      const results = elements.map((each) => equals(each, value));
      const at = results.findIndex((result) => result !== false);
      if (at === -1) throw new EvaluationError("The list does not contain the value.");
      return results[at] === undefined ? unknownFrom("number", elements) : Value.number(at);
    },
  },
  length: {
    parameters: [{ ...openParameter("value"), allowsNull: false }],
    returns: "number",
    call: ([value = Value.null()]) => countOf(value).markedLike(value),
  },
  one: {
    parameters: [anyParameter("list")],
    returns: ([list]) => oneType(list?.type),
    call: ([list = Value.null()]) => {
      const type = oneType(list.type);
      const [first, ...others] = list.elements();
      if (lengthOf(list) === undefined) return unknownFrom(type, [list]);
      if (others.length > 0)
        throw new EvaluationError("The list must not have more than one element.");
      return first ?? Value.null(type);
    },
  },
  range: {
    parameters: [],
    rest: numberParameter("params"),
    returns: { list: "number" },
    call: (args) => {
      if (args.length < 1 || args.length > 3) {
        throw new EvaluationError("One, two or three arguments are required.");
      }
      const numbers = args.map(numberOf);
      const [start = 0, end = 0] = numbers.length === 1 ? [0, ...numbers] : numbers;
      const isBelow = compareNumbers(end, start) < 0;
      const step = numbers[2] ?? (isBelow ? -1 : 1);
      const isDown = compareNumbers(step, 0) < 0;
      if (isDown ? compareNumbers(end, start) > 0 : isBelow) {
        throw new EvaluationError("The step must lead from the start to the end.");
      }
      const found: Value[] = [];
      let next = start;
      while (isDown ? compareNumbers(next, end) > 0 : compareNumbers(next, end) < 0) {
        if (found.length >= maxRange) {
          throw new EvaluationError(`A range has at most ${maxRange} elements.`);
        }
        found.push(Value.number(next));
        next = add(next, step);
      }
      return Value.list("number", found);
    },
  },
  sum: {
    parameters: [{ name: "list", type: "dynamic", isWhollyKnown: true }],
    returns: "number",
    call: ([list]) => {
      requireSequence(list?.type);
      const numbers = elementsOf(list).map((each) => convert(each, "number").content);
      const [first, ...others] = numbers.filter(isNumber);
      if (first === undefined || others.length + 1 < numbers.length) {
        throw new EvaluationError("A list of at least one number is required.");
      }
      return Value.number(others.reduce(add, first));
    },
  },
};
