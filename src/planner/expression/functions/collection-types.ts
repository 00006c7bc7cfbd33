import type { CtyType } from "../../../core/provider-kit/values";
import { EvaluationError, NotComputed, type Value } from "../value";
import { maxElements } from "./arguments";

export const isList = (type: CtyType | undefined): type is { readonly list: CtyType } =>
  typeof type === "object" && "list" in type;

export const isSet = (type: CtyType | undefined): type is { readonly set: CtyType } =>
  typeof type === "object" && "set" in type;

export const isMap = (type: CtyType | undefined): type is { readonly map: CtyType } =>
  typeof type === "object" && "map" in type;

export const isTuple = (
  type: CtyType | undefined,
): type is { readonly tuple: readonly CtyType[] } => typeof type === "object" && "tuple" in type;

export const isObject = (
  type: CtyType | undefined,
): type is Extract<CtyType, { readonly object: unknown }> =>
  typeof type === "object" && "object" in type;

/** Checks whether values of a type have elements in an order: lists, sets and tuples. */
export const isSequence = (type: CtyType | undefined): boolean =>
  isList(type) || isSet(type) || isTuple(type);

/** The elements of an argument that is a known list, set or tuple. */
export const elementsOf = (value: Value | undefined): readonly Value[] => value?.elements() ?? [];

/** @throws EvaluationError for any type but lists, sets and tuples */
export function requireSequence(type: CtyType | undefined): void {
  if (!isSequence(type)) throw new EvaluationError("A list, a set or a tuple is required.");
}

/** @throws NotComputed for more elements than are computed here */
export function requireFew(count: number): void {
  if (count > maxElements) throw new NotComputed();
}
