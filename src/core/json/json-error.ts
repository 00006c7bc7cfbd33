import { type Failure, failures } from "../failure/failure";

/** The reasons for which a string is not the required JSON. */
export type JsonErrorCode =
  /** It breaks the grammar, or it is not UTF-8. */
  | "SYNTAX"
  /** There is text after the value. */
  | "TRAILING_TEXT"
  /** An object has two members with the same name: parsers disagree on which one applies. */
  | "DUPLICATE_NAME"
  /** A member called `__proto__`, which some parsers treat specially. */
  | "FORBIDDEN_NAME"
  | "TOO_DEEP"
  | "TOO_LONG"
  /** A number that is too large for a double. */
  | "NUMBER_RANGE"
  /** A lone surrogate, which has no encoding in UTF-8. */
  | "LONE_SURROGATE"
  /** Valid JSON, but not of the shape that the format requires. */
  | "SHAPE";

/**
 * A string is not the required JSON. The message names the position, which is the index in UTF-16 code units, and
 * contains no values.
 */
export type JsonError = Failure<JsonErrorCode>;
export const [jsonError, isJsonError] = failures<JsonErrorCode>("JsonError");
