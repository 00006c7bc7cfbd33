/** Bytes that do not have the format that their place demands. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}
