import { stringRule } from "../../schema";

/** The name of an environment variable, as defined by POSIX. */
export const variableNameRule = stringRule([
  [
    /^[A-Za-z_][A-Za-z\d_]*$/,
    "must start with a letter or an underscore, followed only by letters, digits and underscores",
  ],
]);
