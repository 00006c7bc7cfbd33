import type { JsonSyntaxErrorCode } from "./json-syntax-error";

/** The reasons for which JSON is refused. */
type JsonErrorCode =
  | JsonSyntaxErrorCode
  /** Valid JSON, but not of the shape that the format requires. */
  | "SHAPE";

/** The error for a string that is not the required JSON. The message contains no values. */
export class JsonError extends Error {
  override readonly name = "JsonError";

  constructor(
    readonly code: JsonErrorCode,
    message: string,
    /** The index at which parsing stopped, in UTF-16 code units from 0. */
    readonly at?: number,
  ) {
    super(message);
  }
}
