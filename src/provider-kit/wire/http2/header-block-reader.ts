import { Http2ConnectionError, protocolError } from "./http2-error";
import { FrameFlag, readUint31 } from "./http2-frame";
import { maxHeaderListBytes } from "./request-headers";

/** The limit of one block. Without it, a peer could send CONTINUATION frames forever. */
const maxBlockBytes = maxHeaderListBytes;
const maxContinuations = 64;

/** The content of the first frame of a header block. */
export interface BlockStart {
  readonly id: number;
  /** True if the block is the last thing on its stream. */
  readonly endsStream: boolean;
  /** The stream on which this one depends; 0 if it depends on none. */
  readonly dependsOn: number;
}

/** Receives a complete block, which shares the memory of the read buffer. */
type OnBlock = (block: BlockStart, bytes: Buffer, start: number, end: number) => void;

/** Assembles header blocks from their frames. */
export class HeaderBlockReader {
  readonly #onBlock: OnBlock;
  #block: { readonly start: BlockStart; readonly parts: Buffer[]; bytes: number } | undefined;

  constructor(onBlock: OnBlock) {
    this.#onBlock = onBlock;
  }

  /** True if only a CONTINUATION frame may follow. */
  get isInside(): boolean {
    return this.#block !== undefined;
  }

  /** Reads a HEADERS frame. @throws Http2ConnectionError */
  readHeaders(flags: number, id: number, bytes: Buffer, from: number, to: number): void {
    let start = from;
    let end = to;
    if ((flags & FrameFlag.padded) !== 0) {
      end -= bytes[start] ?? 0;
      start += 1;
    }
    let dependsOn = 0;
    if ((flags & FrameFlag.priority) !== 0) {
      dependsOn = readUint31(bytes, start);
      start += 5;
    }
    if (end < start || start > to) throw protocolError("more padding than headers");
    const block = { id, endsStream: (flags & FrameFlag.endStream) !== 0, dependsOn };
    if ((flags & FrameFlag.endHeaders) !== 0) {
      this.#onBlock(block, bytes, start, end);
      return;
    }
    const own = Buffer.from(bytes.subarray(start, end));
    this.#block = { start: block, parts: [own], bytes: own.length };
  }

  /** Reads a CONTINUATION frame. @throws Http2ConnectionError */
  readContinuation(flags: number, id: number, bytes: Buffer, from: number, to: number): void {
    const block = this.#block;
    if (block?.start.id !== id) throw protocolError("a continuation of other headers");
    block.parts.push(Buffer.from(bytes.subarray(from, to)));
    block.bytes += to - from;
    if (block.bytes > maxBlockBytes || block.parts.length > maxContinuations) {
      throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "the headers are too long");
    }
    if ((flags & FrameFlag.endHeaders) === 0) return;
    this.#block = undefined;
    const joined = Buffer.concat(block.parts);
    this.#onBlock(block.start, joined, 0, joined.length);
  }
}
