import {
  problemRule,
  stringRule,
  atLeastOneOf,
  knownElements,
  type ResourceRule,
} from "../../schema";
import { predicateTypes, predicateTypeUri } from "./predicate-type";

const must = `must be an absolute URI or one of ${Object.keys(predicateTypes).join(", ")}`;

export const predicateTypeRule = problemRule(must, (type) =>
  predicateTypeUri(type) === undefined ? must : undefined,
);

/** Compares predicate types. `spdx` differs from its URI, because its content is not JSON. */
export const isSamePredicateType = (one: string, other: string): boolean =>
  (one === "spdx") === (other === "spdx") && predicateTypeUri(one) === predicateTypeUri(other);

/** The value is a SHA-256 in lowercase hexadecimal, as tools print it. */
export const sha256Rule = stringRule([
  [/^[\da-f]{64}$/, "must be 64 lowercase hexadecimal digits"],
]);

type Name = "predicates" | "predicate" | "predicateType" | "predicateFiles";

export const atLeastOnePredicate = atLeastOneOf("predicates", "predicate", "predicateFiles");

const isSet = (value: unknown): boolean =>
  (value ?? null) !== null && !(Array.isArray(value) && value.length === 0);

const completeDoc = "a predicate outside of `predicates` needs a type, and either JSON or a file";

/** Requires the deprecated attributes for a predicate to be set completely, or not at all. */
export const completeDeprecatedPredicate: ResourceRule<Name> = {
  code: "REQUIRES",
  severity: "error",
  inputs: ["predicate", "predicateType", "predicateFiles"],
  doc: () => completeDoc,
  broken: ({ predicate, predicateType, predicateFiles }, label) => {
    const bodies = [predicate, predicateFiles].filter(isSet).length;
    if (bodies === 0 && !isSet(predicateType)) return undefined;
    if (bodies === 2) {
      const message = `cannot be combined with \`${label("predicate")}\`: ${completeDoc}`;
      return { name: "predicateFiles", message };
    }
    if (bodies === 0) {
      const message = `needs \`${label("predicate")}\` or \`${label("predicateFiles")}\``;
      return { name: "predicateType", message };
    }
    if (isSet(predicateType)) return undefined;
    const name = isSet(predicate) ? "predicate" : "predicateFiles";
    return { name, message: `needs \`${label("predicateType")}\`` };
  },
};

const oneDoc = "only one predicate of each type is allowed, unless `conflict` is `APPEND`";

/** Rejects two predicates of the same type: they would replace each other. */
export const onePredicatePerType: ResourceRule<Name | "conflict"> = {
  code: "CONFLICT",
  severity: "error",
  inputs: ["conflict", "predicates", "predicateType"],
  doc: () => oneDoc,
  broken: ({ conflict, predicates, predicateType }, _label, isUnknown) => {
    if (conflict === "APPEND") return [];
    const seen = new Set<string>();
    const given = knownElements(predicates).map(([step, { type }]) => {
      return { type, at: { name: "predicates", path: [...step, "type"] } as const };
    });
    return [...given, { type: predicateType, at: { name: "predicateType" } as const }].flatMap(
      ({ type, at }) => {
        if (typeof type !== "string" || isUnknown(type)) return [];
        const uri = predicateTypeUri(type);
        if (uri === undefined) return [];
        const isNew = !seen.has(uri);
        seen.add(uri);
        const got = JSON.stringify(type);
        const message = `must differ from the types before it: ${oneDoc} (got ${got})`;
        return isNew ? [] : [{ ...at, message }];
      },
    );
  },
};
