import { grpcError } from "./grpc-headers";

/**
 * The largest message that is accepted, in bytes. Terraform itself accepts a schema of up to 64 MB.
 */
export const maxMessageBytes = 256 * 1024 * 1024;

/** The compressed flag and the length. */
export const prefixBytes = 5;

/**
 * Adds the prefix of a length-prefixed message: the compressed flag (never set) and the length.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md}
 */
export function encodeFrame(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.byteLength);
  frame[0] = 0;
  frame.writeUInt32BE(message.byteLength, 1);
  frame.set(message, prefixBytes);
  return frame;
}

/** Reads messages from a byte stream that arrives in arbitrary pieces. */
export class FrameReader {
  readonly #prefix = Buffer.alloc(prefixBytes);
  #prefixed = 0;
  /** An incomplete message, in separate memory: the pieces would keep the whole read buffer. */
  #message: Buffer | undefined;
  #filled = 0;

  readonly #maxBytes: number;
  readonly #onLength: ((bytes: number) => void) | undefined;

  /** @param onLength receives the length of each message before it is read, and can refuse it */
  constructor(maxBytes = maxMessageBytes, onLength?: (bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#onLength = onLength;
  }

  /** True if an incomplete frame has been received. */
  get isPartial(): boolean {
    return this.#prefixed > 0 || this.#message !== undefined;
  }

  /**
   * Adds received bytes and returns the messages that they complete. A message within the piece shares its memory.
   *
   * @throws GrpcError UNIMPLEMENTED for a compressed message, RESOURCE_EXHAUSTED for one that is
   * too large, INTERNAL for an invalid flag
   */
  push(piece: Buffer): Uint8Array[] {
    const messages: Uint8Array[] = [];
    let rest = piece;
    for (;;) {
      if (this.#message === undefined) {
        const copied = rest.copy(this.#prefix, this.#prefixed);
        rest = rest.subarray(copied);
        this.#prefixed += copied;
        if (this.#prefixed < prefixBytes) return messages;
        this.#prefixed = 0;
        const length = this.#readPrefix();
        if (length <= rest.length) {
          messages.push(rest.subarray(0, length));
          rest = rest.subarray(length);
          continue;
        }
        this.#message = Buffer.allocUnsafeSlow(length);
        this.#filled = 0;
      }
      const copied = rest.copy(this.#message, this.#filled);
      rest = rest.subarray(copied);
      this.#filled += copied;
      if (this.#filled < this.#message.length) return messages;
      messages.push(this.#message);
      this.#message = undefined;
    }
  }

  #readPrefix(): number {
    const flag = this.#prefix.readUInt8(0);
    const length = this.#prefix.readUInt32BE(1);
    if (flag === 1) {
      throw grpcError(
        "UNIMPLEMENTED",
        "The message is compressed; only uncompressed messages (grpc-encoding: identity) are supported.",
      );
    }
    if (flag !== 0) {
      throw grpcError(
        "INTERNAL",
        `The message does not have a valid gRPC frame: its first byte must be 0 or 1 (got ${flag}).`,
      );
    }
    if (length > this.#maxBytes) {
      throw grpcError(
        "RESOURCE_EXHAUSTED",
        `The message must be at most ${this.#maxBytes} bytes long (got ${length}).`,
      );
    }
    this.#onLength?.(length);
    return length;
  }
}
