/** The reasons for which a string is not strict JSON. */
export type JsonSyntaxErrorCode =
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
  | "LONE_SURROGATE";

/** The error for a string that is not strict JSON. The message names the position, and contains no values. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(
    readonly code: JsonSyntaxErrorCode,
    message: string,
    /** The index at which parsing stopped, in UTF-16 code units from 0. */
    readonly at: number,
  ) {
    super(message);
  }
}
