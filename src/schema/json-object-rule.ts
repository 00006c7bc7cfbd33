import { rule } from "./value-rule";

const must = "must be the text of a JSON object";

/** A text must be a JSON object. */
export const jsonObjectRule = rule(must, (z) =>
  z.string().check(z.refine(isJsonObject, { error: must })),
);

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
