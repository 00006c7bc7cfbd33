import { rule, stringRule, atLeastOneOf, type Breach, type ResourceRule } from "../../schema";
import { predicateTypes, predicateTypeUri } from "./predicate-type";

const must = `must be an absolute URI, or one of ${Object.keys(predicateTypes).join(", ")}`;

/** The type of a predicate. */
export const predicateTypeRule = rule(must, (z) =>
  z.string().check(z.refine((type) => predicateTypeUri(type) !== undefined, { error: must })),
);

/** A SHA-256 as tools print it. */
export const sha256Rule = stringRule([
  [/^[\da-f]{64}$/, "must be 64 lower-case hexadecimal digits"],
]);

type Name = "predicates" | "predicate" | "predicateType" | "predicateFiles";

/** An attestation says something. */
export const atLeastOnePredicate = atLeastOneOf("predicates", "predicate", "predicateFiles");

const isGiven = (value: unknown): boolean =>
  (value ?? null) !== null && !(Array.isArray(value) && value.length === 0);

const completeDoc = "a predicate outside of `predicates` has a type, and either a JSON or a file";

/** The deprecated form of a predicate is whole, or not there. */
export const completeDeprecatedPredicate: ResourceRule<Name> = {
  code: "REQUIRES",
  severity: "error",
  inputs: ["predicate", "predicateType", "predicateFiles"],
  doc: () => completeDoc,
  broken: ({ predicate, predicateType, predicateFiles }, label) => {
    const bodies = [predicate, predicateFiles].filter(isGiven).length;
    if (bodies === 0 && !isGiven(predicateType)) return undefined;
    if (bodies === 2) {
      return {
        name: "predicateFiles",
        message: `excludes \`${label("predicate")}\`: ${completeDoc}`,
      };
    }
    if (bodies === 0) {
      return {
        name: "predicateType",
        message: `needs \`${label("predicate")}\` or \`${label("predicateFiles")}\``,
      };
    }
    if (isGiven(predicateType)) return undefined;
    const name = isGiven(predicate) ? "predicate" : "predicateFiles";
    return { name, message: `needs \`${label("predicateType")}\`` };
  },
};

const oneDoc = "of one type there is one predicate, unless `conflict` is `APPEND`";

/** Two predicates of one type would replace each other. */
export const onePredicatePerType: ResourceRule<Name | "conflict"> = {
  code: "CONFLICT",
  severity: "error",
  inputs: ["conflict", "predicates", "predicateType"],
  doc: () => oneDoc,
  broken: ({ conflict, predicates, predicateType }, _label, isUnknown) => {
    if (conflict === "APPEND") return [];
    const seen = new Set<string>();
    const breaches: Breach<Name>[] = [];
    const add = (type: unknown, breach: Omit<Breach<Name>, "message">): void => {
      if (typeof type !== "string" || isUnknown(type)) return;
      const uri = predicateTypeUri(type);
      if (uri === undefined) return;
      if (seen.has(uri)) {
        breaches.push({
          ...breach,
          message: `must be another type than those before: ${oneDoc} (got ${JSON.stringify(type)})`,
        });
      }
      seen.add(uri);
    };
    if (Array.isArray(predicates)) {
      predicates.forEach((each: unknown, index) => {
        if (typeof each !== "object" || each === null || !("type" in each)) return;
        add(each.type, { name: "predicates", path: [index, "type"] });
      });
    }
    add(predicateType, { name: "predicateType" });
    return breaches;
  },
};
