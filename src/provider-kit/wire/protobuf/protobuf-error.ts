/** The error for bytes that are not a well-formed protobuf message, or a value that cannot be encoded. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}
