import { isObject } from "../json/is-object";
import { rule } from "./value-rule";

const must = "must be the text of a JSON object";

/** A text must be a JSON object. */
export const jsonObjectRule = rule(must, (z) =>
  z.string().check(z.refine(isJsonObjectText, { error: must })),
);

function isJsonObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
