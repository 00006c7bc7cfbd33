/** Content with an invalid format. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}
