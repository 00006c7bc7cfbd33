import type { CtyNumber, CtyType } from "../../../core/provider-kit/values";
import { isInfinite } from "../arithmetic";
import { decimalParts } from "../binary-float";
import { isList, isSequence, isTuple } from "../types";
import type { Parameter, TerraformFunction } from "../function";
import { EvaluationError, isNumber, NotComputed, textOf, Value } from "../value";

/** The longest text that is computed, in characters: an expression must not exhaust the memory. */
export const maxLength = 4_000_000;

/** The most elements that are computed, for the same reason. */
export const maxElements = 100_000;

/** The number of an argument that is a known number. */
export const numberOf = (value: Value | undefined): CtyNumber =>
  value !== undefined && isNumber(value.content) ? value.content : 0;

/**
 * The integer of an argument that is a known number.
 *
 * @throws EvaluationError when it is a fraction, or does not fit into 64 bits
 */
export function integerOf(value: Value | undefined): bigint {
  const number = numberOf(value);
  const { digits, places } = isInfinite(number) ? { digits: 0n, places: 1 } : decimalParts(number);
  if (places > 0 || BigInt.asIntN(64, digits) !== digits) {
    throw new EvaluationError(
      "A whole number between -9223372036854775808 and 9223372036854775807 is required.",
    );
  }
  return digits;
}

/** Like `integerOf`, for an index or a count. Numbers outside the range of exact doubles become its nearest end. */
export const indexOf = (value: Value | undefined): number =>
  Math.max(Math.min(Number(integerOf(value)), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);

/** A string as a result. @throws NotComputed when it is too long */
export function stringOf(text: string): Value {
  if (text.length > maxLength) throw new NotComputed();
  return Value.string(text);
}

export const stringsOf = (texts: readonly string[]): Value =>
  Value.list("string", texts.map(stringOf));

export const stringParameter = (name: string): Parameter => ({ name, type: "string" });
export const numberParameter = (name: string): Parameter => ({ name, type: "number" });
export const anyParameter = (name: string): Parameter => ({ name, type: "dynamic" });

/** A parameter that accepts any value, with its marks. */
export const openParameter = (name: string): Parameter => ({
  name,
  type: "dynamic",
  allowsNull: true,
  allowsUnknown: true,
  allowsAnyType: true,
  allowsSensitive: true,
});

export const ofStrings = (
  names: readonly string[],
  returns: CtyType,
  compute: (...texts: readonly string[]) => Value,
): TerraformFunction => ({
  parameters: names.map(stringParameter),
  returns,
  call: (args) => compute(...args.map(textOf)),
});

export const ofString = (name: string, compute: (text: string) => string): TerraformFunction =>
  ofStrings([name], "string", (text = "") => stringOf(compute(text)));

/** The elements of an argument that is a known list, set or tuple. */
export const elementsOf = (value: Value | undefined): readonly Value[] => value?.elements() ?? [];

/** @throws EvaluationError for anything but a list or a tuple */
export function requireIndexed(type: CtyType | undefined): void {
  if (!isList(type) && !isTuple(type)) throw new EvaluationError("A list or a tuple is required.");
}

/** @throws EvaluationError for anything but a list, a set or a tuple */
export function requireSequence(type: CtyType | undefined): void {
  if (!isSequence(type)) throw new EvaluationError("A list, a set or a tuple is required.");
}

/** @throws NotComputed for more than {@link maxElements} */
export function requireFew(count: number): void {
  if (count > maxElements) throw new NotComputed();
}
