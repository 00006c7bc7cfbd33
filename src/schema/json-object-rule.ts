import { isObject } from "../json/is-object";
import { rule } from "./value-rule";

const must = "must be a JSON object as a string";

/** A string must contain a JSON object (RFC 8259). */
export const jsonObjectRule = rule(must, (z) =>
  z.string().check(z.refine(isJsonObject, { error: must })),
);

function isJsonObject(value: string): boolean {
  try {
    return isObject(JSON.parse(value));
  } catch {
    return false;
  }
}
