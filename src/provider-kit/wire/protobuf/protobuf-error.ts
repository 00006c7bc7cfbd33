/** Bytes are not a well-formed protobuf message, or a value cannot be written as one. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}
