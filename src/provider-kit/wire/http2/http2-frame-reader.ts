import { Http2ConnectionError } from "./http2-error";
import { defaultFrameBytes, frameHeaderBytes, readUint24, readUint31 } from "./http2-frame";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Go's gRPC never sends larger frames. */
const maxFrameBytes = defaultFrameBytes;

/** Receives a frame, which shares the memory of the read buffer. */
type OnFrame = (
  type: number,
  flags: number,
  id: number,
  bytes: Buffer,
  start: number,
  end: number,
) => void;

/** Reads the frames of a connection, whose bytes arrive in arbitrary pieces. */
export class Http2FrameReader {
  readonly #onFrame: OnFrame;
  /** The received pieces of an incomplete frame. */
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #needed = preface.length;
  #hasPreface = false;
  #isStopped = false;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Ignores everything from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#pieces = [];
  }

  /** @throws Http2ConnectionError for bytes that are no frame, and errors of `onFrame` */
  push(piece: Buffer): void {
    if (this.#isStopped) return;
    let bytes = piece;
    if (this.#pieceBytes > 0) {
      this.#pieces.push(piece);
      this.#pieceBytes += piece.length;
      if (this.#pieceBytes < this.#needed) return;
      bytes = Buffer.concat(this.#pieces, this.#pieceBytes);
      this.#pieces = [];
      this.#pieceBytes = 0;
    }
    const rest = this.#read(bytes);
    if (rest < bytes.length) {
      this.#pieces.push(bytes.subarray(rest));
      this.#pieceBytes = bytes.length - rest;
    }
  }

  /** @returns the index at which the first incomplete frame begins */
  #read(bytes: Buffer): number {
    const { length } = bytes;
    let at = 0;
    if (!this.#hasPreface) {
      at = this.#readPreface(bytes);
      if (at === 0) return 0;
    }
    while (!this.#isStopped && length - at >= frameHeaderBytes) {
      const size = readUint24(bytes, at);
      if (size > maxFrameBytes) {
        throw new Http2ConnectionError("FRAME_SIZE_ERROR", "a frame is too long");
      }
      const start = at + frameHeaderBytes;
      const end = start + size;
      if (end > length) {
        this.#needed = end - at;
        return at;
      }
      const type = bytes[at + 3] ?? 0;
      this.#onFrame(type, bytes[at + 4] ?? 0, readUint31(bytes, at + 5), bytes, start, end);
      at = end;
    }
    this.#needed = frameHeaderBytes;
    return at;
  }

  #readPreface(bytes: Buffer): number {
    const common = Math.min(bytes.length, preface.length);
    if (preface.compare(bytes, 0, common, 0, common) !== 0) {
      throw new Http2ConnectionError("PROTOCOL_ERROR", "the connection does not begin with HTTP/2");
    }
    if (common < preface.length) return 0;
    this.#hasPreface = true;
    return preface.length;
  }
}
