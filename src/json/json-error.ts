/** Why a text is not taken as JSON. */
export type JsonErrorCode =
  /** It breaks the grammar, or it is not UTF-8. */
  | "SYNTAX"
  /** Something stands behind the value. */
  | "TRAILING_TEXT"
  /** An object names a member twice: readers would disagree on which one counts. */
  | "DUPLICATE_NAME"
  /** A member called `__proto__`, which some readers take for more than a name. */
  | "FORBIDDEN_NAME"
  | "TOO_DEEP"
  /** A number that no double holds. */
  | "NUMBER_RANGE"
  /** Half of a surrogate pair, which has no UTF-8 form. */
  | "LONE_SURROGATE"
  /** JSON, but not of the shape that the format demands. */
  | "SHAPE";

/** A text that is not the JSON it should be; the message holds no values. */
export class JsonError extends Error {
  override readonly name = "JsonError";

  constructor(
    readonly code: JsonErrorCode,
    message: string,
  ) {
    super(message);
  }
}
