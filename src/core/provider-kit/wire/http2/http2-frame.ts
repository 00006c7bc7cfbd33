import { type Failure, failures } from "../../../failure/failure";

/**
 * The error codes of HTTP/2.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9113#section-7}
 */
export const Http2Code = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const;

export type Http2CodeName = keyof typeof Http2Code;

/** The error after which a connection can no longer be used. */
export type Http2ConnectionError = Failure<Http2CodeName>;
export const [http2ConnectionError, isHttp2ConnectionError] =
  failures<Http2CodeName>("Http2ConnectionError");

export const protocolError = (what: string): Http2ConnectionError =>
  http2ConnectionError("PROTOCOL_ERROR", what);

export const frameSizeError = (): Http2ConnectionError =>
  http2ConnectionError("FRAME_SIZE_ERROR", "a frame has a wrong length");

export const FrameType = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FrameFlag = {
  acknowledges: 1,
  endStream: 1,
  endHeaders: 4,
  padded: 8,
  priority: 0x20,
} as const;

export const frameHeaderBytes = 9;

/** The window that an end permits until it says otherwise, of a stream and of the connection. */
export const defaultWindow = 65_535;

/** The longest frame that an end accepts until it says otherwise, and the smallest limit that it can set. */
export const defaultFrameBytes = 16_384;

export function putFrameHeader(
  to: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  to[at] = length >>> 16;
  to[at + 1] = length >>> 8;
  to[at + 2] = length;
  to[at + 3] = type;
  to[at + 4] = flags;
  putUint32(to, at + 5, stream);
}

export function putUint32(to: Buffer, at: number, value: number): void {
  to[at] = value >>> 24;
  to[at + 1] = value >>> 16;
  to[at + 2] = value >>> 8;
  to[at + 3] = value;
}

/** Reads 31 bits: the first bit is reserved. */
export function readUint31(from: Buffer, at: number): number {
  return (
    (((from[at] ?? 0) & 0x7f) << 24) |
    ((from[at + 1] ?? 0) << 16) |
    ((from[at + 2] ?? 0) << 8) |
    (from[at + 3] ?? 0)
  );
}

function readUint24(from: Buffer, at: number): number {
  return ((from[at] ?? 0) << 16) | ((from[at + 1] ?? 0) << 8) | (from[at + 2] ?? 0);
}

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

  /** @throws Http2ConnectionError for bytes that are not a frame, and errors of `onFrame` */
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
        throw http2ConnectionError("FRAME_SIZE_ERROR", "a frame is too long");
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
      throw http2ConnectionError("PROTOCOL_ERROR", "the connection does not begin with HTTP/2");
    }
    if (common < preface.length) return 0;
    this.#hasPreface = true;
    return preface.length;
  }
}
