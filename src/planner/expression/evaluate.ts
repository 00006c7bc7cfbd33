import type { CtyNumber } from "../../core/provider-kit/values";
import { add, compareNumbers, divide, multiply, negate, remainder, subtract } from "./arithmetic";
import { spend } from "./budget";
import { convert, lengthOf } from "./convert";
import { equals, sortedNames } from "./equality";
import {
  type BinaryOperator,
  chainOf,
  type Expression,
  type ForExpression,
  type Link,
  splatElement,
  typedFunction,
} from "./syntax";
import {
  elementTypeOf,
  isList,
  isMap,
  isObject,
  isSequence,
  isSet,
  isTuple,
  typeName,
} from "./types";
import { unify } from "./unify";
import {
  EvaluationError,
  isNumber,
  NotComputed,
  primitiveText,
  terraformVersion,
  textOf,
  unknownFrom,
  Value,
} from "./value";

/** The variables and functions that an expression can use. */
export interface Scope {
  /** Returns a variable, such as `var` or `each`; undefined if there is no such variable. */
  readonly variable: (name: string) => Value | undefined;
  /** @throws EvaluationError when there is no such function, or when it fails */
  readonly call: (name: string, args: readonly Value[]) => Value;
}

/**
 * Evaluates an expression as Terraform does.
 *
 * @throws EvaluationError when it is invalid for these values
 * @see {@link https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md}
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  const { start, links } = chainOf(expression);
  return links.reduce((value, link) => continued(value, link, scope), begun(start, scope));
}

function begun(expression: Exclude<Expression, Link>, scope: Scope): Value {
  spend(1);
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "template":
      return joined(expression.parts.map((part) => outcome(part, scope)));
    case "join":
      return joinedElements(evaluate(expression.of, scope));
    case "variable": {
      const found = scope.variable(expression.name);
      if (found !== undefined) return found;
      throw new EvaluationError(`There is no "${expression.name}" here.`);
    }
    case "call":
      return call(expression, scope);
    case "conditional":
      return conditional(expression, scope);
    case "unary": {
      const of = evaluate(expression.of, scope);
      if (expression.operator === "!") return onBools([of], ([one]) => one !== true);
      return onNumbers([of], "number", "-", ([one = 0]) => Value.number(negate(one)));
    }
    case "tuple":
      return Value.tuple(expression.elements.map((element) => evaluate(element, scope)));
    case "object":
      return objectOf(
        expression.members.map(([key, value]) => [evaluate(key, scope), evaluate(value, scope)]),
      );
    case "for":
      return forEach(expression, scope);
  }
}

/** Applies a link of a chain to what comes before it. */
function continued(value: Value, link: Link, scope: Scope): Value {
  spend(1);
  switch (link.kind) {
    case "attribute":
      return attribute(value, link.name);
    case "index":
      return index(value, evaluate(link.key, scope));
    case "splat":
      return splat(value, (element) =>
        evaluate(link.each, withVariables(scope, new Map([[splatElement, element]]))),
      );
    case "binary":
      return binary(link.operator, value, rightOf(link, value, scope));
  }
}

/** Evaluates the right operand. Versions after 1.11 do not if the left operand decides. */
function rightOf(
  { operator, right }: Extract<Link, { kind: "binary" }>,
  left: Value,
  scope: Scope,
): Value {
  if (operator !== "&&" && operator !== "||") return evaluate(right, scope);
  const found = outcome(right, scope);
  if (found instanceof Value && !found.isNull) return found;
  const isDecided = operandOf(left, "bool").content === (operator === "||");
  if (isDecided) return Value.unknown("bool", { kind: "function", of: terraformVersion });
  if (found instanceof Value) return found;
  throw found;
}

export const withVariables = (scope: Scope, added: ReadonlyMap<string, Value>): Scope => ({
  variable: (name) => added.get(name) ?? scope.variable(name),
  call: scope.call,
});

/** Joins the texts of values. If one of them failed, so does the whole. */
function joined(results: readonly (Value | EvaluationError)[]): Value {
  const failed = results.find((each) => each instanceof EvaluationError);
  if (failed !== undefined) throw withMarksOf(failed, results);
  const parts = results.filter((each) => each instanceof Value);
  let text = "";
  for (const part of parts) {
    if (part.isNull) {
      throw new EvaluationError("A null value cannot be part of a string.");
    }
    if (part.isKnown) {
      const piece = primitiveText(part);
      if (piece === undefined) {
        throw new EvaluationError(
          `A string, number or bool is required in a string, not a ${typeName(part.type)}.`,
        );
      }
      // Checked first: the whole could exceed the longest possible string.
      spend(piece.length >>> 3);
      text += piece;
    }
  }
  const isKnown = parts.every((part) => part.isKnown);
  return isKnown ? Value.string(text).markedLike(...parts) : unknownFrom("string", parts);
}

const joinedElements = (tuple: Value): Value =>
  tuple.isKnown ? joined(tuple.elements()).markedLike(tuple) : unknownFrom("string", [tuple]);

function attribute(of: Value, name: string): Value {
  if (of.isNull) {
    throw new EvaluationError(`The attribute "${name}" cannot be read: the value is null.`);
  }
  const { type } = of;
  if (type === "dynamic") return unknownFrom("dynamic", [of]);
  if (isObject(type)) {
    const field = type.object.find(({ wire }) => wire === name);
    if (field === undefined) throw new EvaluationError(`There is no attribute "${name}".`);
    if (!of.isKnown) return unknownFrom(field.type, [of]);
    return (of.members().get(name) ?? Value.null(field.type)).markedLike(of);
  }
  if (isMap(type)) {
    if (!of.isKnown) return unknownFrom(type.map, [of]);
    const found = of.members().get(name);
    if (found === undefined) throw new EvaluationError(`The map has no element "${name}".`);
    return found.markedLike(of);
  }
  throw new EvaluationError(`A ${typeName(type)} has no attributes, such as "${name}".`);
}

function index(of: Value, key: Value): Value {
  if (of.isNull || key.isNull)
    throw new EvaluationError("The value and its index must not be null.");
  const { type } = of;
  if (type === "dynamic" || key.type === "dynamic") return unknownFrom("dynamic", [of, key]);
  if (typeof type === "string") throw new EvaluationError(`A ${type} has no elements.`);
  if ("set" in type) throw new EvaluationError("The elements of a set cannot be read by index.");
  if ("map" in type || "object" in type) {
    const name = convert(key, "string");
    if (name.isSensitive && !of.members().has(textOf(name)) && of.isKnown && name.isKnown) {
      throw new EvaluationError("There is no element with this sensitive key.");
    }
    if (name.isKnown && (of.isKnown || "map" in type)) {
      return attribute(of, textOf(name)).markedLike(name);
    }
    return unknownFrom("map" in type ? type.map : "dynamic", [of, name]);
  }
  const at = convert(key, "number");
  if (!at.isKnown || !of.isKnown) {
    if (!("tuple" in type)) return unknownFrom(type.list, [of, at]);
    const element = at.isKnown ? type.tuple[Number(at.content)] : "dynamic";
    if (element !== undefined) return unknownFrom(element, [of, at]);
  }
  const found = of.elements()[Number(at.content)];
  if (found === undefined) {
    const which = at.isSensitive ? "with this index" : (primitiveText(at) ?? "");
    throw new EvaluationError(`There is no element ${which}.`);
  }
  return found.markedLike(of, at);
}

function splat(of: Value, each: (element: Value) => Value): Value {
  const { type } = of;
  const isCollection = isList(type) || isSet(type);
  if (of.isNull) {
    if (!isCollection && !isTuple(type)) return Value.tuple([]).markedLike(of);
    throw new EvaluationError("The value before `*` must not be null.");
  }
  const typeOf = (element: Value["type"]): Value["type"] =>
    each(Value.unknown(element, ...of.reasons())).type;
  if (!of.isKnown) {
    if (isCollection) return unknownFrom({ list: typeOf(elementTypeOf(type)) }, [of]);
    if (isTuple(type)) return unknownFrom({ tuple: type.tuple.map(typeOf) }, [of]);
    // The result is a tuple of this value, or an empty tuple if it turns out to be null.
    if (type !== "dynamic") each(of);
    return unknownFrom("dynamic", [of]);
  }
  const unmarked = of.marked(false);
  const results = (isCollection || isTuple(type) ? unmarked.elements() : [unmarked]).map(each);
  if (!isCollection) return Value.tuple(results).markedLike(of);
  if (lengthOf(of) === undefined) return unknownFrom("dynamic", [of]);
  const element = results[0]?.type ?? typeOf(elementTypeOf(type));
  return Value.list(element, results).markedLike(of);
}

function call(
  { name, args, isExpanded }: Extract<Expression, { kind: "call" }>,
  scope: Scope,
): Value {
  const plain = name.replace(/^core::/, "");
  if (plain === "try" || plain === "can") return attempted(plain, args, scope);
  if (plain === typedFunction) {
    return Value.unknown("dynamic", { kind: "function", of: terraformVersion });
  }
  const values = args.map((arg) => evaluate(arg, scope));
  const last = values.at(-1);
  if (!isExpanded || last === undefined) return scope.call(plain, values);
  if (last.isNull) throw new EvaluationError("The value before `...` must not be null.");
  if (!last.isKnown) return unknownFrom("dynamic", values);
  if (!isSequence(last.type)) {
    throw new EvaluationError("The value before `...` must be a list, set or tuple.");
  }
  const further = last.elements().map((element) => element.markedLike(last));
  return scope.call(plain, [...values.slice(0, -1), ...further]);
}

/** `try` returns the first argument that can be evaluated, `can` whether its argument can be. */
function attempted(name: "try" | "can", args: readonly Expression[], scope: Scope): Value {
  if (args.length === 0 || (name === "can" && args.length > 1)) {
    throw new EvaluationError(
      `The function ${name} expects ${name === "can" ? "one argument" : "an argument"}.`,
    );
  }
  for (const arg of args) {
    try {
      const value = evaluate(arg, scope);
      // Whether it succeeds can depend on unknown values.
      if (!value.isWhollyKnown) {
        return unknownFrom(name === "can" ? "bool" : "dynamic", [value]);
      }
      return name === "can" ? Value.bool(true) : value;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
    }
  }
  if (name === "can") return Value.bool(false);
  throw new EvaluationError("No argument of the function try can be evaluated.");
}

/** Both results are evaluated, because they decide the type. An error in the result that is not chosen is ignored. */
function conditional(
  { condition, then, otherwise }: Extract<Expression, { kind: "conditional" }>,
  scope: Scope,
): Value {
  const results = [outcome(then, scope), outcome(otherwise, scope)] as const;
  const given = outcome(condition, scope);
  if (given instanceof EvaluationError) throw withMarksOf(given, results);
  if (given.isNull) throw new EvaluationError("A condition must not be null.");
  // Terraform does not check the type of an unknown condition.
  const decision = given.isKnown ? convert(given, "bool") : given;
  // Since Terraform 1.10, a sensitive result makes the other one sensitive, even if it is not chosen.
  const isSensitive = [decision, ...results].some((each) => each.isSensitive);
  const type = commonType(...results);
  const chosen = results[decision.content === true ? 0 : 1];
  if (decision.isKnown && chosen instanceof EvaluationError) {
    throw withMarksOf(chosen, [decision, ...results]);
  }
  const values = results.filter((each) => each instanceof Value);
  const isNull = values.length === 2 && values.every((each) => each.isNull);
  const open = isNull
    ? Value.null(type)
    : unknownFrom(type, [decision, ...values.filter((each) => !each.isKnown)]);
  const found = decision.isKnown && chosen instanceof Value ? convert(chosen, type) : open;
  return found.marked(isSensitive || found.isSensitive);
}

/** Marks an error as sensitive like the values beside it. */
function withMarksOf(
  error: EvaluationError,
  others: readonly (Value | EvaluationError)[],
): EvaluationError {
  error.isSensitive ||= others.some((each) => each.isSensitive);
  return error;
}

function outcome(branch: Expression, scope: Scope): Value | EvaluationError {
  try {
    return evaluate(branch, scope);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** The type of both results of a condition. It is open if one of them fails, because only the other is used then. */
function commonType(a: Value | EvaluationError, b: Value | EvaluationError): Value["type"] {
  if (a instanceof EvaluationError || b instanceof EvaluationError) return "dynamic";
  if (a.isNull && a.type === "dynamic") return b.type;
  if (b.isNull && b.type === "dynamic") return a.type;
  if (a.type === "dynamic" || b.type === "dynamic") return "dynamic";
  const common = unify([a.type, b.type]);
  if (common === undefined) {
    throw new EvaluationError("The two results of a condition must have the same type.");
  }
  return common;
}

function binary(operator: BinaryOperator, left: Value, right: Value): Value {
  switch (operator) {
    case "||":
      return onBools([left, right], ([a, b]) => a === true || b === true);
    case "&&":
      return onBools([left, right], ([a, b]) => a === true && b === true);
    case "==":
    case "!=": {
      const result = equals(left, right);
      const found =
        result === undefined
          ? unknownFrom("bool", [left, right])
          : Value.bool(result === (operator === "=="));
      return found.marked(left.containsSensitive || right.containsSensitive);
    }
    default: {
      const type = /[<>]/.test(operator) ? "bool" : "number";
      const compute = arithmetic[operator];
      return onNumbers([left, right], type, operator, ([a = 0, b = 0]) => compute(a, b));
    }
  }
}

type NumberOperator = Exclude<BinaryOperator, "||" | "&&" | "==" | "!=">;

const arithmetic: Readonly<Record<NumberOperator, (a: CtyNumber, b: CtyNumber) => Value>> = {
  "<": (a, b) => Value.bool(compareNumbers(a, b) < 0),
  ">": (a, b) => Value.bool(compareNumbers(a, b) > 0),
  "<=": (a, b) => Value.bool(compareNumbers(a, b) <= 0),
  ">=": (a, b) => Value.bool(compareNumbers(a, b) >= 0),
  "+": (a, b) => Value.number(add(a, b)),
  "-": (a, b) => Value.number(subtract(a, b)),
  "*": (a, b) => Value.number(multiply(a, b)),
  "%": (a, b) => Value.number(remainder(a, b)),
  "/": (a, b) => Value.number(divide(a, b)),
};

function onNumbers(
  operands: readonly Value[],
  type: "number" | "bool",
  operator: string,
  compute: (numbers: readonly CtyNumber[]) => Value,
): Value {
  const numbers = operands.map((operand) => operandOf(operand, "number"));
  if (numbers.some((each) => !each.isKnown)) return unknownFrom(type, numbers);
  const contents = numbers.map(({ content }) => (isNumber(content) ? content : 0));
  try {
    return compute(contents).markedLike(...numbers);
  } catch (error) {
    if (!(error instanceof NotComputed)) throw error;
    return Value.unknown(type, { kind: "function", of: operator }).markedLike(...numbers);
  }
}

function onBools(
  operands: readonly Value[],
  compute: (bools: readonly boolean[]) => boolean,
): Value {
  const bools = operands.map((operand) => operandOf(operand, "bool"));
  if (bools.some((each) => !each.isKnown)) return unknownFrom("bool", bools);
  return Value.bool(compute(bools.map(({ content }) => content === true))).markedLike(...bools);
}

function operandOf(operand: Value, type: "number" | "bool" | "string"): Value {
  const value = convert(operand, type);
  const what = type === "string" ? "A key" : "An operand";
  if (value.isNull) throw new EvaluationError(`${what} must not be null.`);
  return value;
}

function objectOf(entries: readonly (readonly [name: Value, value: Value])[]): Value {
  const names = entries.map(([name]) => convert(name, "string"));
  if (names.some(({ isNull }) => isNull)) throw new EvaluationError("A key must not be null.");
  const unknown = names.filter((name) => !name.isKnown);
  if (unknown.length > 0) return unknownFrom("dynamic", unknown);
  const members = new Map(entries.map(([, value], at) => [textOf(names[at]), value] as const));
  return Value.object(members).markedLike(...names);
}

function forEach(loop: ForExpression, scope: Scope): Value {
  const collection = evaluate(loop.collection, scope);
  if (collection.isNull) throw new EvaluationError("A null value has no elements for `for`.");
  const marks: Value[] = [collection];
  // An unknown condition or key does not end the loop, because a later part can be sensitive.
  const unknown: Value[] = [];
  const results: Value[] = [];
  const members = new Map<string, Value[]>();
  const scopeWith = (key: Value, value: Value): Scope => {
    const variables = new Map([[loop.valueName, value]]);
    if (loop.keyName !== undefined) variables.set(loop.keyName, key);
    return withVariables(scope, variables);
  };
  // Once something is unknown, Terraform ignores errors.
  const checked = (given: Value, type: "bool" | "string"): Value | undefined => {
    marks.push(given);
    try {
      const found = operandOf(given, type);
      if (!found.isKnown) unknown.push(found);
      return found;
    } catch (error) {
      if (error instanceof EvaluationError && unknown.length > 0) return undefined;
      throw error;
    }
  };
  const visit = (key: Value, value: Value): void => {
    const inner = scopeWith(key, value);
    if (loop.condition !== undefined) {
      const included = checked(evaluate(loop.condition, inner), "bool");
      if (included?.content !== true) return;
    }
    const name = loop.key && checked(evaluate(loop.key, inner), "string");
    if (loop.key !== undefined && name?.isKnown !== true) return;
    const result = evaluate(loop.value, inner);
    if (name === undefined) {
      results.push(result);
      return;
    }
    const same = members.get(textOf(name));
    if (same === undefined) members.set(textOf(name), [result]);
    else if (loop.isGrouped) same.push(result);
    else throw new EvaluationError("Two elements have the same key. Add `...` to group them.");
  };
  requireIterable(collection.type);
  try {
    const any = Value.unknown("dynamic");
    // Terraform checks the condition once, even without elements.
    if (loop.condition !== undefined && collection.type !== "dynamic") {
      marks.push(operandOf(evaluate(loop.condition, scopeWith(any, any)), "bool"));
    }
    if (!collection.isKnown) return unknownFrom("dynamic", [collection]).markedLike(...marks);
    for (const [key, value] of iterated(collection)) visit(key, value);
  } catch (error) {
    throw error instanceof EvaluationError ? withMarksOf(error, marks) : error;
  }
  if (unknown.length > 0) return unknownFrom("dynamic", unknown).markedLike(...marks);
  if (loop.key === undefined) return Value.tuple(results).markedLike(...marks);
  const object = [...members].map(([name, values]) => {
    const [first = Value.null()] = values;
    return [name, loop.isGrouped ? Value.tuple(values) : first] as const;
  });
  return Value.object(object).markedLike(...marks);
}

/**
 * Returns the elements of a known collection with their keys, in Terraform's order.
 *
 * @throws EvaluationError when the value is not a collection
 */
export function iterated(collection: Value): readonly (readonly [key: Value, value: Value])[] {
  const { type } = collection;
  requireIterable(type);
  if (typeof type === "string") return [];
  if ("set" in type) return collection.elements().map((element) => [element, element]);
  if ("list" in type || "tuple" in type) {
    return collection.elements().map((element, at) => [Value.number(at), element]);
  }
  const members = collection.members();
  return sortedNames(members).map((name) => [
    Value.string(name),
    members.get(name) ?? Value.null(),
  ]);
}

function requireIterable(type: Value["type"]): void {
  if (typeof type !== "string" || type === "dynamic") return;
  throw new EvaluationError(`A ${typeName(type)} has no elements for \`for\`.`);
}
