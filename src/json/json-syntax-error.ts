/** Why a text is not read as JSON. */
export type JsonSyntaxErrorCode =
  /** It breaks the grammar, or it is not UTF-8. */
  | "SYNTAX"
  /** Something stands behind the value. */
  | "TRAILING_TEXT"
  /** An object names a member twice: readers would disagree on which one counts. */
  | "DUPLICATE_NAME"
  /** A member called `__proto__`, which some readers take for more than a name. */
  | "FORBIDDEN_NAME"
  | "TOO_DEEP"
  | "TOO_LONG"
  /** A number that no double holds. */
  | "NUMBER_RANGE"
  /** Half of a surrogate pair, which has no UTF-8 form. */
  | "LONE_SURROGATE";

/** A text that is not strict JSON; the message says where, and holds no values. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(
    readonly code: JsonSyntaxErrorCode,
    message: string,
    /** The character, counted as JavaScript does from 0, at which reading ended. */
    readonly at: number,
  ) {
    super(message);
  }
}
