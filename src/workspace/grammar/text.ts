import { stringRule } from "../../schema";

/** The name of an environment variable, as POSIX has it. */
export const variableNameRule = stringRule([
  [
    /^[A-Za-z_][A-Za-z\d_]*$/,
    "must start with a letter or an underscore, and then have letters, digits and underscores only",
  ],
]);

/** A text of at least one character that is not a blank. */
export const nonBlankRule = stringRule([[/\S/, "must not be empty or blank"]]);
