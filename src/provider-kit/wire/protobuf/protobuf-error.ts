/** The bytes are not a well-formed protobuf message, or a value cannot be encoded. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}
