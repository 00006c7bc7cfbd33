import { GrpcError } from "./grpc-error";

/**
 * The largest message that is accepted, in bytes. Terraform itself accepts a schema of up to 64 MB.
 */
export const maxMessageBytes = 256 * 1024 * 1024;

const prefixBytes = 5;

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
  #pieces: Buffer[] = [];
  #buffered = 0;
  #needed = prefixBytes;
  #inMessage = false;

  readonly #maxBytes: number;

  constructor(maxBytes = maxMessageBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Whether an incomplete frame has been received. */
  get isPartial(): boolean {
    return this.#buffered > 0 || this.#inMessage;
  }

  /**
   * Adds received bytes and returns the messages that they complete.
   *
   * @throws GrpcError UNIMPLEMENTED for a compressed message, RESOURCE_EXHAUSTED for one that is
   * too large, INTERNAL for an invalid flag
   */
  push(piece: Buffer): Uint8Array[] {
    this.#pieces.push(piece);
    this.#buffered += piece.byteLength;
    const messages: Uint8Array[] = [];
    while (this.#buffered >= this.#needed) {
      const bytes = this.#take(this.#needed);
      if (this.#inMessage) {
        messages.push(bytes);
        this.#expect(false, prefixBytes);
      } else {
        this.#expect(true, this.#readPrefix(bytes));
      }
    }
    return messages;
  }

  #expect(inMessage: boolean, needed: number): void {
    this.#inMessage = inMessage;
    this.#needed = needed;
  }

  #readPrefix(prefix: Buffer): number {
    const flag = prefix.readUInt8(0);
    const length = prefix.readUInt32BE(1);
    if (flag === 1) {
      throw new GrpcError(
        "UNIMPLEMENTED",
        "The message is compressed; only uncompressed messages (grpc-encoding: identity) are supported.",
      );
    }
    if (flag !== 0) {
      throw new GrpcError(
        "INTERNAL",
        `The message does not have a valid gRPC frame: its first byte must be 0 or 1 (got ${flag}).`,
      );
    }
    if (length > this.#maxBytes) {
      throw new GrpcError(
        "RESOURCE_EXHAUSTED",
        `The message must be at most ${this.#maxBytes} bytes long (got ${length}).`,
      );
    }
    return length;
  }

  #take(count: number): Buffer {
    const first = this.#pieces[0];
    this.#buffered -= count;
    if (first !== undefined && first.byteLength >= count) {
      if (first.byteLength === count) this.#pieces.shift();
      else this.#pieces[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = joined.byteLength === count ? [] : [joined.subarray(count)];
    return joined.subarray(0, count);
  }
}
