import type { CtyType } from "../../../core/provider-kit/values";
import { convert, setOf } from "../convert";
import { identityOf } from "../equality";
import type { Parameter, TerraformFunction } from "../function";
import { elementTypeOf, isSequence, isSet, isTuple, sameType } from "../types";
import { unify } from "../unify";
import { EvaluationError, unknownFrom, Value } from "../value";

import { requireFew } from "./arguments";

const anySet = { set: "dynamic" } as const;

/** The common type of sets. An empty set without a type suits all others. */
function commonType(args: readonly Value[]): { readonly set: CtyType } {
  const typed = args.filter(
    ({ type, isKnown, content }) =>
      elementTypeOf(type) !== "dynamic" ||
      !isKnown ||
      !Array.isArray(content) ||
      content.length > 0,
  );
  if (typed.length === 0) return anySet;
  const element = unify(typed.map(({ type }) => elementTypeOf(type)));
  if (element === undefined) {
    throw new EvaluationError("The elements of all sets must have compatible types.");
  }
  return { set: element };
}

type Elements = readonly Value[];

const operation = (
  combine: (left: Elements, right: Elements) => Elements,
  names: readonly string[],
  { hasRest = false, isWhollyKnown = true } = {},
): TerraformFunction => ({
  parameters: names.map((name) => set(name, isWhollyKnown)),
  ...(hasRest ? { rest: set("other_sets", isWhollyKnown) } : {}),
  returns: commonType,
  call: (args) => {
    const type = commonType(args);
    const sets = args.map((each) => convert(each, type));
    if (sets.some((each) => !sameType(each.type, type) && each.elements().length > 0)) {
      throw new EvaluationError("The elements of all sets must have compatible types.");
    }
    const [first = [], ...others] = sets.map((each) => each.elements());
    return setOf(
      type.set,
      others.reduce((left, right) => combine(left, right), first),
    );
  },
});

function set(name: string, isWhollyKnown: boolean): Parameter {
  return { name, type: anySet, isWhollyKnown };
}

/** Returns the elements that are, or are not, in another set. */
function within(elements: Elements, others: Elements, isIn: boolean): Elements {
  const known = new Set(others.map(identityOf));
  return elements.filter((one) => known.has(identityOf(one)) === isIn);
}

const haveOneType = ([first, ...others]: Elements): boolean =>
  first === undefined || others.every(({ type }) => sameType(type, first.type));

/** The type of the elements of one argument of a product. */
function factorType(type: CtyType): CtyType {
  if (!isSequence(type)) throw new EvaluationError("A set or a list is required.");
  if (!isTuple(type)) return elementTypeOf(type);
  const element = type.tuple.length === 0 ? "dynamic" : unify(type.tuple);
  if (element === undefined) throw new EvaluationError("All elements must have the same type.");
  return element;
}

function productTypes(args: Elements): readonly CtyType[] {
  if (args.length < 2) throw new EvaluationError("At least two arguments are required.");
  return args.map(({ type }) => factorType(type));
}

const productType = (args: Elements): CtyType => {
  const element = { tuple: productTypes(args) };
  return args.some(({ type }) => isSet(type)) ? { set: element } : { list: element };
};

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/setunion} and its neighbours */
export const setFunctions: Readonly<Record<string, TerraformFunction>> = {
  setintersection: operation((left, right) => within(left, right, true), ["first_set"], {
    hasRest: true,
  }),
  setproduct: {
    parameters: [],
    rest: { name: "sets", type: "dynamic", allowsUnknown: true, allowsSensitive: true },
    returns: productType,
    call: (args) => {
      const type = productType(args);
      const types = productTypes(args);
      const isOpen = args.some(
        (each) => !each.isKnown || (isSet(each.type) && !each.isWhollyKnown),
      );
      if (isOpen) return unknownFrom(type, args).markedLike(...args);
      const factors = args.map((each, at) =>
        each.elements().map((one) => convert(one, types[at] ?? "dynamic")),
      );
      const count = factors.reduce((product, factor) => product * factor.length, 1);
      requireFew(count);
      if (count > 0 && factors.some((factor) => !haveOneType(factor))) {
        throw new EvaluationError("All elements must have the same type.");
      }
      const rows = factors.reduce<readonly Elements[]>(
        (known, factor) => known.flatMap((row) => factor.map((one) => row.concat(one))),
        [[]],
      );
      const tuple = { tuple: types };
      const tuples = rows.map((row) => new Value(tuple, row));
      const result = isSet(type) ? setOf(tuple, tuples) : Value.list(tuple, tuples);
      return result.markedLike(...args);
    },
  },
  setsubtract: operation((left, right) => within(left, right, false), ["a", "b"]),
  setunion: operation((left, right) => left.concat(right), ["first_set"], {
    hasRest: true,
    isWhollyKnown: false,
  }),
};
