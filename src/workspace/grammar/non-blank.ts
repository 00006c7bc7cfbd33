import { stringRule } from "../../schema";

/** A string with at least one character that is not white space. */
export const nonBlankRule = stringRule([[/\S/, "must not be empty or blank"]]);
