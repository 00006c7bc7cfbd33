import { isObject } from "../json/is-object";
import { problemRule } from "./value-rule";
import { parsedJson } from "../json/plain-json";

const must = "must be a JSON object as a string";

/** A string must contain a JSON object (RFC 8259). */
export const jsonObjectRule = problemRule(must, (text) =>
  isObject(parsedJson(text)) ? undefined : must,
);
