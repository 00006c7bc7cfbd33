import type { CtyType } from "../../../core/provider-kit/values";
import { spend } from "../budget";
import { convert } from "../convert";
import { distinct } from "../equality";
import type { Parameter, TerraformFunction } from "../function";
import { unify } from "../unify";
import { EvaluationError, NotComputed, terraformVersion, unknownFrom, Value } from "../value";
import {
  indexOf,
  integerOf,
  numberParameter,
  elementsOf,
  requireFew,
  requireIndexed,
  requireSequence,
} from "./arguments";
import { elementTypeOf, isList, isSequence, isSet, isTuple } from "../types";

/** A parameter whose elements keep their marks. */
const marked = (name: string): Parameter => ({ name, type: "dynamic", allowsSensitive: true });

const anyList = { list: "dynamic" } as const;

/** The common type if all arguments are lists; otherwise a tuple of all elements. */
function concatType(args: readonly Value[]): CtyType {
  const types = args.map(({ type }) => type);
  const common = types.every(isList) ? unify(types) : undefined;
  if (common !== undefined) return common;
  for (const { type, isKnown } of args) {
    if (!isList(type) && !isTuple(type)) {
      throw new EvaluationError("All arguments must be lists or tuples.");
    }
    if (isList(type) && !isKnown) return "dynamic";
  }
  return { tuple: args.flatMap(elementTypes) };
}

const elementTypes = (sequence: Value): readonly CtyType[] =>
  isTuple(sequence.type)
    ? sequence.type.tuple
    : sequence.elements().map(() => elementTypeOf(sequence.type));

interface Flat {
  readonly elements: readonly Value[];
  /** The flattened lists, whose marks the result gets. */
  readonly lists: readonly Value[];
}

function flat(list: Value): Flat {
  spend(list.parts().length);
  const parts = list.elements().map((each): Flat => {
    if (each.isNull || !isSequence(each.type)) return { elements: [each], lists: [] };
    return flat(each);
  });
  return {
    elements: parts.flatMap(({ elements }) => elements),
    lists: [list, ...parts.flatMap(({ lists }) => lists)],
  };
}

/** Checks whether the number of elements depends on an unknown value. */
const isOpenEnded = (value: Value): boolean =>
  value.isKnown
    ? isSequence(value.type) &&
      (isSet(value.type) ? !value.isWhollyKnown : value.elements().some(isOpenEnded))
    : isSequence(value.type) || value.type === "dynamic";

const reverseType = (type: CtyType | undefined): CtyType => {
  requireSequence(type);
  return isTuple(type) ? { tuple: type.tuple.toReversed() } : { list: elementTypeOf(type) };
};

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/chunklist} and its neighbours */
export const listFunctions: Readonly<Record<string, TerraformFunction>> = {
  chunklist: {
    parameters: [
      { name: "list", type: anyList, allowsSensitive: true },
      { name: "size", type: "number", allowsSensitive: true },
    ],
    returns: ([list]) => ({ list: list?.type ?? anyList }),
    call: ([list = Value.null(), size = Value.null()]) => {
      const count = indexOf(size);
      if (count < 0) throw new EvaluationError("The size must not be negative.");
      const elements = list.elements();
      const step = count === 0 ? elements.length : count;
      const chunks: Value[] = [];
      for (let at = 0; at < elements.length; at += step) {
        chunks.push(new Value(list.type, elements.slice(at, at + step)));
      }
      return Value.list(list.type, chunks).markedLike(list, size);
    },
  },
  compact: {
    parameters: [{ name: "list", type: { list: "string" }, isWhollyKnown: true }],
    returns: { list: "string" },
    call: ([list]) =>
      Value.list(
        "string",
        elementsOf(list).filter(({ content }) => content !== null && content !== ""),
      ),
  },
  concat: {
    parameters: [],
    rest: marked("seqs"),
    returns: concatType,
    call: (args) => {
      if (args.length === 0) throw new EvaluationError("At least one argument is required.");
      const type = concatType(args);
      const parts = isList(type) ? args.map((each) => convert(each, type)) : args;
      const elements = parts.flatMap((each) => each.elements());
      requireFew(elements.length);
      const element = elements[0]?.type;
      const result = isList(type)
        ? Value.list(element ?? type.list, elements)
        : Value.tuple(elements);
      return result.markedLike(...args);
    },
  },
  distinct: {
    parameters: [{ name: "list", type: anyList, isWhollyKnown: true }],
    returns: ([list]) => list?.type ?? anyList,
    call: ([list]) => new Value(list?.type ?? anyList, distinct(elementsOf(list))),
  },
  element: {
    parameters: [marked("list"), numberParameter("index")],
    returns: ([list, index]) => {
      requireIndexed(list?.type);
      if (!isTuple(list?.type) || index?.isKnown !== true) return elementTypeOf(list?.type);
      return list.type.tuple[Number(integerOf(index)) % list.type.tuple.length] ?? "dynamic";
    },
    call: ([list = Value.null(), index]) => {
      requireIndexed(list.type);
      const count = BigInt(list.elements().length);
      if (count === 0n) throw new EvaluationError("The list must not be empty.");
      const at = integerOf(index) % count;
      if (isTuple(list.type) && at < 0n) throw new NotComputed(terraformVersion);
      return (list.elements().at(Number(at)) ?? Value.null()).markedLike(list);
    },
  },
  flatten: {
    parameters: [marked("list")],
    returns: "dynamic",
    call: ([list = Value.null()]) => {
      requireSequence(list.type);
      if (isOpenEnded(list)) return unknownFrom("dynamic", [list]).marked(list.containsSensitive);
      const { elements, lists } = flat(list);
      requireFew(elements.length);
      return Value.tuple(elements).markedLike(...lists);
    },
  },
  reverse: {
    parameters: [marked("list")],
    returns: ([list]) => reverseType(list?.type),
    call: ([list = Value.null()]) => {
      // The number of its elements is not known.
      if (isSet(list.type) && !list.isWhollyKnown)
        return unknownFrom(reverseType(list.type), [list]);
      return new Value(reverseType(list.type), list.elements().toReversed(), list.isSensitive);
    },
  },
  slice: {
    parameters: [marked("list"), numberParameter("start_index"), numberParameter("end_index")],
    returns: ([list]) => {
      requireIndexed(list?.type);
      return isList(list?.type) ? list.type : "dynamic";
    },
    call: ([list = Value.null(), start, end]) => {
      requireIndexed(list.type);
      const [from, to] = [indexOf(start), indexOf(end)];
      const elements = list.elements();
      if (from < 0 || from > to || to > elements.length) {
        throw new EvaluationError(
          "The start index must not be after the end index, and both must be in the list.",
        );
      }
      const part = elements.slice(from, to);
      const result = isList(list.type) ? new Value(list.type, part) : Value.tuple(part);
      return result.markedLike(list);
    },
  },
};
