import {
  defaultFrameBytes,
  defaultWindow,
  FrameFlag,
  frameHeaderBytes,
  FrameType,
  putFrameHeader,
  putUint32,
  http2ConnectionError,
} from "./http2-frame";
import type { Http2Output } from "./http2-output";
import type { Http2Stream, OnSent, Pending } from "./http2-streams";

const maxWindow = 2 ** 31 - 1;

/** Up to this length, a message is copied next to its frames. */
const shortBytes = 4096;
const grpcPrefixBytes = 5;

/** The beginning of a header block that uses no table. */
const noTable = Buffer.of(0x20);

/** Sends the frames of streams, as far as the peer's windows permit. */
export class Http2Sender {
  streamWindow = defaultWindow;
  frameBytes = defaultFrameBytes;
  /** True if the peer has made its table smaller, which the next header block must confirm. */
  confirmsTable = false;
  readonly #output: Http2Output;
  readonly #onEnd: (stream: Http2Stream) => void;
  #window = defaultWindow;
  /** Streams with something to send that wait only for the window of the connection. */
  readonly #waiting = new Set<Http2Stream>();
  /** The number of bytes that wait for a window. */
  waitingBytes = 0;

  /** @param onEnd called when a stream has sent everything */
  constructor(output: Http2Output, onEnd: (stream: Http2Stream) => void) {
    this.#output = output;
    this.#onEnd = onEnd;
  }

  sendHeaders(stream: Http2Stream, block: Buffer, endsStream: boolean): void {
    if (stream.isClosed || stream.isEnding) return;
    stream.isEnding = endsStream;
    if (stream.pending === undefined) this.#putHeaders(stream, block, endsStream);
    else {
      this.waitingBytes += block.byteLength;
      const rest = { isData: false, sent: 0, onSent: undefined };
      stream.pending.push({ ...rest, bytes: block, endsStream });
    }
  }

  sendData(
    stream: Http2Stream,
    bytes: Uint8Array,
    endsStream: boolean,
    onSent: OnSent | undefined,
  ): void {
    if (stream.isClosed || stream.isEnding) {
      onSent?.(false);
      return;
    }
    stream.isEnding = endsStream;
    this.waitingBytes += bytes.byteLength;
    stream.pending ??= [];
    stream.pending.push({ bytes, isData: true, endsStream, sent: 0, onSent });
    this.#pump(stream);
  }

  /** Sends a complete response: headers, one gRPC message, and trailers. */
  answer(stream: Http2Stream, head: Buffer, message: Uint8Array, trailers: Buffer): void {
    const { byteLength } = message;
    const data = byteLength + grpcPrefixBytes;
    if (stream.isClosed || stream.isEnding) return;
    const hasWindow = data <= this.#window && data <= stream.sendWindow;
    if (byteLength > shortBytes || !hasWindow || this.confirmsTable) {
      this.sendHeaders(stream, head, false);
      const prefix = Buffer.alloc(grpcPrefixBytes);
      putUint32(prefix, 1, byteLength);
      this.sendData(stream, prefix, false, undefined);
      this.sendData(stream, message, false, undefined);
      this.sendHeaders(stream, trailers, true);
      return;
    }
    this.#window -= data;
    stream.sendWindow -= data;
    const { id } = stream;
    const output = this.#output;
    let at = output.reserve(3 * frameHeaderBytes + head.length + data + trailers.length);
    const { slab } = output;
    putFrameHeader(slab, at, head.length, FrameType.headers, FrameFlag.endHeaders, id);
    at += frameHeaderBytes;
    slab.set(head, at);
    at += head.length;
    putFrameHeader(slab, at, data, FrameType.data, 0, id);
    at += frameHeaderBytes;
    slab[at] = 0;
    putUint32(slab, at + 1, byteLength);
    at += grpcPrefixBytes;
    slab.set(message, at);
    at += byteLength;
    const flags = FrameFlag.endHeaders | FrameFlag.endStream;
    putFrameHeader(slab, at, trailers.length, FrameType.headers, flags, id);
    slab.set(trailers, at + frameHeaderBytes);
    this.#end(stream);
  }

  /** Permits more data on all streams together. @throws Http2ConnectionError FLOW_CONTROL_ERROR */
  enlarge(more: number): void {
    const before = this.#window;
    this.#window += more;
    checkWindow(this.#window);
    if (before > 0) return;
    for (const stream of this.#waiting) {
      if (this.#window === 0) return;
      this.#pump(stream);
    }
  }

  /** Permits more data on a stream. @returns false if the window would become too large */
  enlargeStream(stream: Http2Stream, more: number): boolean {
    stream.sendWindow += more;
    if (stream.sendWindow > maxWindow) return false;
    this.#pump(stream);
    return true;
  }

  /**
   * Changes the windows of open streams, and of later ones.
   *
   * @throws Http2ConnectionError FLOW_CONTROL_ERROR
   */
  setStreamWindow(value: number, open: Iterable<Http2Stream>): void {
    const change = value - this.streamWindow;
    this.streamWindow = value;
    for (const stream of open) {
      stream.sendWindow += change;
      checkWindow(stream.sendWindow);
    }
    for (const stream of open) this.#pump(stream);
  }

  discard(stream: Http2Stream): void {
    const { pending } = stream;
    if (pending === undefined) return;
    this.#waiting.delete(stream);
    stream.pending = undefined;
    for (const { bytes, onSent } of pending) {
      this.waitingBytes -= bytes.byteLength;
      onSent?.(false);
    }
  }

  #putHeaders(stream: Http2Stream, fields: Uint8Array, endsStream: boolean): void {
    const block = this.confirmsTable ? Buffer.concat([noTable, fields]) : fields;
    this.confirmsTable = false;
    const flags = endsStream ? FrameFlag.endStream : 0;
    const most = this.frameBytes;
    let type: number = FrameType.headers;
    let from = 0;
    do {
      const to = Math.min(block.byteLength, from + most);
      const last = to === block.byteLength ? FrameFlag.endHeaders : 0;
      this.#output.putHeader(to - from, type, last | (from === 0 ? flags : 0), stream.id);
      this.#output.put(block.subarray(from, to));
      from = to;
      type = FrameType.continuation;
    } while (from < block.byteLength);
    if (endsStream) this.#end(stream);
  }

  #end(stream: Http2Stream): void {
    stream.isEnding = true;
    stream.isSent = true;
    this.#onEnd(stream);
  }

  /** Sends the data of a stream, as far as the windows permit. */
  #pump(stream: Http2Stream): void {
    const { pending } = stream;
    if (pending === undefined) return;
    for (let first = pending[0]; first !== undefined; first = pending[0]) {
      if (first.isData && !this.#sendPiece(stream, first)) {
        // Behind the others, which have not sent anything meanwhile.
        this.#waiting.delete(stream);
        if (stream.sendWindow > 0) this.#waiting.add(stream);
        return;
      }
      // Before the end, which discards what is pending.
      pending.shift();
      this.waitingBytes -= first.bytes.byteLength;
      const { onSent } = first;
      if (onSent !== undefined) this.#output.afterwards(() => onSent(true));
      if (!first.isData) this.#putHeaders(stream, first.bytes, first.endsStream);
      else if (first.endsStream) this.#end(stream);
    }
    stream.pending = undefined;
    this.#waiting.delete(stream);
  }

  /** @returns true if all of it was sent */
  #sendPiece(stream: Http2Stream, piece: Pending): boolean {
    const { bytes, endsStream } = piece;
    do {
      const rest = bytes.byteLength - piece.sent;
      // A window can be negative: the peer may make it smaller when it is in use.
      const window = Math.max(0, Math.min(this.#window, stream.sendWindow));
      const size = Math.min(rest, this.frameBytes, window);
      if (size === 0 && rest > 0) return false;
      this.#window -= size;
      stream.sendWindow -= size;
      const flags = size === rest && endsStream ? FrameFlag.endStream : 0;
      this.#output.putHeader(size, FrameType.data, flags, stream.id);
      this.#output.put(bytes.subarray(piece.sent, piece.sent + size));
      piece.sent += size;
    } while (piece.sent < bytes.byteLength);
    return true;
  }
}

/** @throws Http2ConnectionError FLOW_CONTROL_ERROR for a window that is too large */
export function checkWindow(size: number): void {
  if (size <= maxWindow) return;
  throw http2ConnectionError("FLOW_CONTROL_ERROR", "a window is too large");
}
