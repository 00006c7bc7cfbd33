import { predicateTypeUri, predicateTypes } from "../predicate/predicate-type";
import { impreciseNumbers } from "../predicate/imprecise-numbers";

/** A predicate as the user wrote it. Values can be unknown or missing. */
export interface GivenPredicate {
  readonly type: unknown;
  readonly json: unknown;
}

/** Messages about numbers in predicates that statements cannot contain as they were written. */
export function numberWarnings(predicates: readonly GivenPredicate[]): readonly string[] {
  return predicates.flatMap(({ type, json }) => {
    if (typeof type !== "string" || typeof json !== "string" || isText(type)) return [];
    const found = impreciseNumbers(json);
    if (found.length === 0) return [];
    const listed = found.map(
      ({ path, given, written }) => `${path}: ${given} is written as ${written}`,
    );
    const rule = "Statements contain numbers with double precision, as other tools write them";
    return [
      `The predicate of type ${type} has numbers that lose digits. ${rule}. To keep all digits, use strings.\n${listed.join("\n")}`,
    ];
  });
}

/** True if the content of a type is not read as JSON. */
const isText = (type: string): boolean =>
  type === "spdx" || predicateTypeUri(type) === predicateTypes.custom;
