import type { JsonSyntaxErrorCode } from "./json-syntax-error";

/** Why a text is not taken as JSON. */
export type JsonErrorCode =
  | JsonSyntaxErrorCode
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
