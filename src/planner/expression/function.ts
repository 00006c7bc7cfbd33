import type { CtyType } from "../../core/provider-kit/values";
import { spend } from "./budget";
import { convert } from "./convert";
import { isOpen, sameType } from "./types";
import { requirement } from "./unify";
import { EvaluationError, joinReasons, NotComputed, type UnknownReason, Value } from "./value";

/** A parameter of a function. Arguments are converted to its type. */
export interface Parameter {
  readonly name: string;
  readonly type: CtyType;
  /** Accepts null. @default false */
  readonly allowsNull?: boolean;
  /** Accepts unknown values. By default, the result is then unknown. */
  readonly allowsUnknown?: boolean;
  /** Accepts values without a type, such as `null`. By default, the result then has none either. */
  readonly allowsAnyType?: boolean;
  /** Makes the result unknown if anything in the argument is unknown. */
  readonly isWhollyKnown?: boolean;
  /** Receives sensitive marks. By default, they are moved from the argument to the result. */
  readonly allowsSensitive?: boolean;
}

/** A built-in function of Terraform's language. */
export interface TerraformFunction {
  readonly parameters: readonly Parameter[];
  /** The parameter of all further arguments. @default none are allowed */
  readonly rest?: Parameter;
  /**
   * The type of an unknown result.
   *
   * @throws EvaluationError when the arguments are invalid, as far as they are known
   */
  readonly returns: CtyType | ((args: readonly Value[]) => CtyType);
  /**
   * Computes the result.
   *
   * @param args converted to the types of the parameters
   * @throws EvaluationError when the arguments are invalid
   * @throws NotComputed when the result would be a guess
   */
  readonly call: (args: readonly Value[]) => Value;
}

/**
 * Calls a function like cty: checks and converts the arguments, passes on marks, and returns an unknown value if an
 * argument is unknown.
 *
 * @throws EvaluationError when an argument is invalid
 * @see {@link https://github.com/zclconf/go-cty/blob/main/docs/functions.md}
 */
export function callFunction(
  name: string,
  { parameters, rest, returns, call }: TerraformFunction,
  given: readonly Value[],
): Value {
  if (
    given.length < parameters.length ||
    (rest === undefined && given.length > parameters.length)
  ) {
    const plural = parameters.length === 1 ? "" : "s";
    const expected = `${rest === undefined ? "" : "at least "}${parameters.length} argument${plural}`;
    throw new EvaluationError(`The function ${name} expects ${expected}, but got ${given.length}.`);
  }
  const bound = given.flatMap((argument, at): readonly Bound[] => {
    const parameter = parameters[at] ?? rest;
    if (parameter === undefined) return [];
    return [{ parameter, value: convertArgument(name, parameter, argument) }];
  });
  for (const each of bound) {
    const { parameter, value } = each;
    if (value.isNull && parameter.allowsNull !== true) {
      throw new EvaluationError(`The argument ${parameter.name} of ${name} must not be null.`);
    }
    // Terraform checks no further arguments.
    if (!isTypedFor(each)) break;
  }
  for (const each of bound) spend(stepsOf(each));
  const isSensitive = bound.some(
    ({ parameter, value }) => parameter.allowsSensitive !== true && value.containsSensitive,
  );
  const args = bound.map(({ parameter, value }) =>
    parameter.allowsSensitive === true ? value : value.unmarked(),
  );
  const isUnknown = bound.some(({ parameter, value }) => isUnknownFor(parameter, value));
  const reasons = joinReasons(args);
  const result = bound.every(isTypedFor)
    ? computed(name, { returns, call }, args, isUnknown)
    : Value.unknown("dynamic", ...(reasons.length > 0 ? reasons : [notComputed(name)]));
  if (isSensitive) return result.marked(true);
  // What the function would have done with these marks is not known either.
  return result.isKnown ? result : result.markedLike(...args);
}

/** An argument, converted for its parameter. */
interface Bound {
  readonly parameter: Parameter;
  readonly value: Value;
}

/** A function visits each character and each part of an argument, but only the elements if it passes on their marks. */
function stepsOf({ parameter, value }: Bound): number {
  if (typeof value.content === "string") return value.content.length;
  return parameter.allowsSensitive === true ? value.parts().length : value.size;
}

const isTypedFor = ({ parameter, value }: Bound): boolean =>
  parameter.allowsAnyType === true || value.type !== "dynamic";

const isUnknownFor = (parameter: Parameter, value: Value): boolean =>
  (parameter.isWhollyKnown === true && !value.isWhollyKnown) ||
  (parameter.allowsUnknown !== true && !value.isKnown);

const notComputed = (name: string): UnknownReason => ({ kind: "function", of: name });

function computed(
  name: string,
  { returns, call }: Pick<TerraformFunction, "returns" | "call">,
  args: readonly Value[],
  isUnknown: boolean,
): Value {
  if (isUnknown) return Value.unknown(typeOf(returns, args), ...joinReasons(args));
  try {
    return call(args);
  } catch (error) {
    if (!(error instanceof NotComputed)) throw error;
    const reason = notComputed(error.of ?? name);
    return Value.unknown(typeOf(returns, args), ...joinReasons(args), reason);
  }
}

function typeOf(returns: TerraformFunction["returns"], args: readonly Value[]): CtyType {
  try {
    return typeof returns === "function" ? returns(args) : returns;
  } catch (error) {
    if (error instanceof NotComputed) return "dynamic";
    throw error;
  }
}

function convertArgument(name: string, parameter: Parameter, argument: Value): Value {
  try {
    const value = convert(argument, parameter.type);
    // A partly unknown set does not take the type of the parameter.
    if (!isOpen(parameter.type) && !sameType(value.type, parameter.type)) {
      throw new EvaluationError(requirement(parameter.type));
    }
    return value;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new EvaluationError(`The argument ${parameter.name} of ${name}: ${error.message}`);
  }
}
