import { rule, textRule } from "../../../schema";

/** The name of an environment variable, as POSIX has it. */
export const variableNameRule = textRule([
  [
    /^[A-Za-z_][A-Za-z\d_]*$/,
    "must start with a letter or an underscore, and then have letters, digits and underscores only",
  ],
]);

/** A text of at least one character that is not a blank. */
export const nonBlankRule = textRule([[/\S/, "must not be empty"]]);

/** A JSON object as a text. */
export const jsonObjectRule = rule("must be a JSON object", (z) =>
  z.string().check(z.refine(isJsonObject, { error: "must be a JSON object" })),
);

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
