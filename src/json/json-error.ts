import type { JsonSyntaxErrorCode } from "./json-syntax-error";

/** Why JSON is refused. */
type JsonErrorCode =
  | JsonSyntaxErrorCode
  /** Valid JSON, but not of the shape that the format requires. */
  | "SHAPE";

/** A string is not the JSON that is required. The message contains no values. */
export class JsonError extends Error {
  override readonly name = "JsonError";

  constructor(
    readonly code: JsonErrorCode,
    message: string,
  ) {
    super(message);
  }
}
