import { rule } from "../../schema";
import { predicateTypes, predicateTypeUri } from "./predicate-type";

const must = `must be an absolute URI, or one of ${Object.keys(predicateTypes).join(", ")}`;

/** The type of a predicate. */
export const predicateTypeRule = rule(must, (z) =>
  z.string().check(z.refine((type) => predicateTypeUri(type) !== undefined, { error: must })),
);
