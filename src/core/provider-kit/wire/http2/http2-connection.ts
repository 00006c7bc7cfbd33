import type { Duplex } from "node:stream";
import { type BlockStart, HeaderBlockReader, HpackDecoder } from "./hpack";
import {
  FrameFlag,
  frameSizeError,
  FrameType,
  Http2Code,
  type Http2CodeName,
  Http2FrameReader,
  protocolError,
  putUint32,
  readUint31,
  isHttp2ConnectionError,
  http2ConnectionError,
  type Http2ConnectionError,
} from "./http2-frame";
import {
  applySettings,
  connectionWindow,
  maxStreams,
  putSettings,
  streamWindow,
} from "./http2-settings";
import { Http2Output } from "./http2-output";
import { Http2Sender } from "./http2-sender";
import { Http2Budget, type Http2Stream, Http2Streams } from "./http2-streams";
import type { RequestHeaders } from "./request-headers";

/**
 * The content of a ping. A peer answers pings in order, so the answer shows that it has read everything
 * before.
 */
const pingContent = Buffer.alloc(8);
/** The time that a peer has to close a connection after an error. */
const closingMs = 1000;

type OpenStream = (connection: Http2Connection, id: number, headers: RequestHeaders) => Http2Stream;

/**
 * The server's end of a connection.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9113}
 */
export class Http2Connection {
  readonly #socket: Duplex;
  readonly #output: Http2Output;
  readonly sender: Http2Sender;
  readonly budget: Http2Budget;
  readonly #open: OpenStream;
  readonly #decoder = new HpackDecoder();
  readonly #streams = new Http2Streams();

  readonly #frames = new Http2FrameReader((type, flags, id, bytes, start, end) => {
    this.#readFrame(type, flags, id, bytes, start, end);
  });
  readonly #blocks = new HeaderBlockReader((block, bytes, start, end) => {
    this.#readBlock(block, bytes, start, end);
  });
  #hasSettings = false;

  /** The number of bytes received since the window was last enlarged. */
  #received = 0;

  constructor(socket: Duplex, open: OpenStream, onClosed: () => void) {
    this.#socket = socket;
    this.#open = open;
    this.#output = new Http2Output(socket);
    this.sender = new Http2Sender(this.#output, (stream) => {
      if (stream.isReceived) this.#close(stream);
      // Nobody reads the rest of the request, so the client must stop sending.
      else this.afterwards(() => this.#stopCaller(stream));
    });
    this.budget = new Http2Budget(() => this.#output.waitingBytes + this.sender.waitingBytes);
    putSettings(this.#output);
    socket.on("data", (piece: Buffer) => {
      this.#receive(piece);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#closeStreams();
      this.#output.closed();
      onClosed();
    });
  }

  close(): void {
    this.#frames.stop();
    this.#socket.destroy();
    this.#closeStreams();
  }

  /** Ends a stream without more frames. */
  reset(stream: Http2Stream, code: Http2CodeName): void {
    if (stream.isClosed) return;
    this.#putReset(stream.id, code);
    this.#close(stream);
  }

  /** Lets a client send as much as a stream has received again. */
  enlarge(stream: Http2Stream): void {
    if (stream.isClosed || stream.received <= streamWindow / 2) return;
    this.#output.putNumber(FrameType.windowUpdate, stream.id, stream.received);
    stream.received = 0;
  }

  /** Calls a listener when everything written so far was passed to the system. */
  afterwards(listener: () => void): void {
    this.#output.afterwards(listener);
  }

  /** Ends a stream on which a client is still sending. It counts as open until the client has noticed. */
  #stopCaller(stream: Http2Stream): void {
    if (stream.isClosed) return;
    this.reset(stream, "NO_ERROR");
    if (this.#streams.leave(stream.id)) this.#putPing(pingContent, 0);
  }

  #putPing(content: Buffer, flags: number): void {
    this.#output.putHeader(content.length, FrameType.ping, flags, 0);
    this.#output.put(content);
  }

  #putReset(id: number, code: Http2CodeName): void {
    this.#output.putNumber(FrameType.resetStream, id, Http2Code[code]);
    this.#streams.rememberReset(id);
  }

  #receive(piece: Buffer): void {
    try {
      this.#frames.push(piece);
    } catch (error) {
      if (isHttp2ConnectionError(error)) {
        this.#fail(error.code);
        return;
      }
      this.#fail("INTERNAL_ERROR");
      throw error;
    }
  }

  #readFrame(
    type: number,
    flags: number,
    id: number,
    bytes: Buffer,
    start: number,
    end: number,
  ): void {
    if (this.#blocks.isInside && type !== FrameType.continuation) {
      throw protocolError("a frame inside of a header block");
    }
    if (!this.#hasSettings && type !== FrameType.settings) {
      throw protocolError("the first frame does not contain settings");
    }
    switch (type) {
      case FrameType.data:
        this.#readData(flags, id, bytes, start, end);
        return;
      case FrameType.headers:
        if ((id & 1) === 0) throw protocolError("headers on a stream that is not of the client");
        this.#blocks.readHeaders(flags, id, bytes, start, end);
        return;
      case FrameType.continuation:
        this.#blocks.readContinuation(flags, id, bytes, start, end);
        return;
      case FrameType.windowUpdate:
        this.#readWindowUpdate(id, bytes, start, end);
        return;
      case FrameType.ping:
        this.#readPing(flags, id, bytes, start, end);
        return;
      case FrameType.settings:
        this.#readSettings(flags, id, bytes, start, end);
        return;
      case FrameType.resetStream:
        this.#readReset(id, end - start);
        return;
      case FrameType.priority:
        this.#readPriority(id, bytes, start, end);
        return;
      case FrameType.goAway:
        if (id !== 0) throw protocolError("GOAWAY on a stream");
        if (end - start < 8) throw frameSizeError();
        return;
      case FrameType.pushPromise:
        throw protocolError("a client cannot push");
      default:
      // Unknown types are ignored.
    }
  }

  #readData(flags: number, id: number, bytes: Buffer, from: number, to: number): void {
    if (id === 0) throw protocolError("data outside of a stream");
    let start = from;
    let end = to;
    const size = end - start;
    if ((flags & FrameFlag.padded) !== 0) {
      end -= bytes[start] ?? 0;
      start += 1;
      if (size === 0 || end < start) throw protocolError("more padding than data");
    }
    this.#received += size;
    // The data has been read, so there is space for more.
    if (this.#received > connectionWindow / 2) {
      this.#output.putNumber(FrameType.windowUpdate, 0, this.#received);
      this.#received = 0;
    }
    const isLast = (flags & FrameFlag.endStream) !== 0;
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      if (!(isLast && this.#streams.forgetLeft(id))) this.#rejectFrame(id);
      return;
    }
    if (stream.isReceived) {
      this.#resetWith(stream, "STREAM_CLOSED");
      return;
    }
    const length = end - start;
    if (stream.expected >= 0) {
      stream.expected -= length;
      if (stream.expected < 0) {
        this.#resetWith(stream, "PROTOCOL_ERROR");
        return;
      }
    }
    if (!isLast) {
      if (length === 0) this.budget.spend(1);
      stream.received += size;
      if (stream.received > streamWindow) {
        this.#resetWith(stream, "FLOW_CONTROL_ERROR");
        return;
      }
    }
    if (length > 0) stream.receive(bytes, start, end);
    if (!isLast && !stream.isBehind) this.enlarge(stream);
    if (isLast) this.#end(stream);
  }

  #end(stream: Http2Stream): void {
    if (stream.isClosed) return;
    if (stream.expected > 0) {
      this.#resetWith(stream, "PROTOCOL_ERROR");
      return;
    }
    stream.isReceived = true;
    stream.receiveEnd();
    if (stream.isSent) this.#close(stream);
  }

  #readBlock(
    { id, endsStream, dependsOn }: BlockStart,
    bytes: Buffer,
    start: number,
    end: number,
  ): void {
    this.budget.checkAnswers();
    const headers = this.#decoder.decode(bytes, start, end);
    this.budget.spendHeaders(end - start + headers.bytes);
    if (id <= this.#streams.lastId) {
      this.#readTrailers(id, headers, endsStream);
      return;
    }
    this.#streams.lastId = id;
    if (!headers.areValid || dependsOn === id) {
      this.#resetAny(id, "PROTOCOL_ERROR");
      return;
    }
    if (this.#streams.size >= maxStreams) {
      this.#resetAny(id, "REFUSED_STREAM");
      return;
    }
    const stream = this.#open(this, id, headers);
    stream.sendWindow = this.sender.streamWindow;
    stream.expected = headers.contentLength;
    this.#streams.add(stream);
    stream.begin();
    if (endsStream) this.#end(stream);
  }

  #readTrailers(id: number, headers: RequestHeaders, isLast: boolean): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      if (isLast && this.#streams.forgetLeft(id)) return;
      if (this.#streams.wasReset(id)) return;
      if (this.#streams.hasEnded(id)) throw streamClosed();
      throw protocolError("a stream that should have begun before");
    }
    if (stream.isReceived) this.#resetWith(stream, "STREAM_CLOSED");
    else if (!isLast || !headers.areValidTrailers) this.#resetWith(stream, "PROTOCOL_ERROR");
    else this.#end(stream);
  }

  #readWindowUpdate(id: number, bytes: Buffer, start: number, end: number): void {
    if (end - start !== 4) throw frameSizeError();
    const more = readUint31(bytes, start);
    if (id === 0) {
      if (more === 0) throw protocolError("a window update of nothing");
      this.sender.enlarge(more);
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      if (this.#streams.isIdle(id)) throw protocolError("a window update before a stream began");
      return;
    }
    if (more === 0) this.#resetWith(stream, "PROTOCOL_ERROR");
    else if (!this.sender.enlargeStream(stream, more)) {
      this.#resetWith(stream, "FLOW_CONTROL_ERROR");
    }
  }

  #readPing(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    if (id !== 0) throw protocolError("a ping on a stream");
    if (end - start !== 8) throw frameSizeError();
    if ((flags & FrameFlag.acknowledges) !== 0) {
      if (this.#streams.confirmLeft()) this.#putPing(pingContent, 0);
      return;
    }
    this.budget.checkAnswers();
    this.#putPing(bytes.subarray(start, end), FrameFlag.acknowledges);
  }

  #readSettings(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    if (id !== 0) throw protocolError("settings of a stream");
    if ((flags & FrameFlag.acknowledges) !== 0) {
      if (end !== start) throw frameSizeError();
      return;
    }
    if (this.#hasSettings) this.budget.spend(1);
    this.#hasSettings = true;
    // Before what the settings permit to be sent.
    this.#output.putHeader(0, FrameType.settings, FrameFlag.acknowledges, 0);
    applySettings(bytes, start, end, this.sender, this.#streams);
  }

  #readReset(id: number, size: number): void {
    if (size !== 4) throw frameSizeError();
    if (id === 0 || this.#streams.isIdle(id)) throw protocolError("a reset before a stream began");
    // Otherwise the client confirms an end.
    if (!this.#streams.forgetLeft(id)) this.budget.spend(1);
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#close(stream);
  }

  #readPriority(id: number, bytes: Buffer, start: number, end: number): void {
    if (id === 0) throw protocolError("a priority outside of a stream");
    if (end - start !== 5) this.#resetAny(id, "FRAME_SIZE_ERROR");
    else if (readUint31(bytes, start) === id) this.#resetAny(id, "PROTOCOL_ERROR");
  }

  /** Handles data on a stream that is not open. */
  #rejectFrame(id: number): void {
    if (this.#streams.isIdle(id)) throw protocolError("data before a stream began");
    if (this.#streams.wasReset(id)) return;
    this.#resetAny(id, "STREAM_CLOSED");
  }

  /** Handles an error of the peer on a stream that may be open. */
  #resetAny(id: number, code: Http2CodeName): void {
    const stream = this.#streams.get(id);
    if (stream !== undefined) {
      this.#resetWith(stream, code);
      return;
    }
    this.budget.spend(1);
    this.#putReset(id, code);
  }

  /** Handles an error of the peer on one stream. */
  #resetWith(stream: Http2Stream, code: Http2CodeName): void {
    this.budget.spend(1);
    this.reset(stream, code);
  }

  #close(stream: Http2Stream): void {
    if (stream.isClosed) return;
    stream.isClosed = true;
    this.#streams.delete(stream);
    this.sender.discard(stream);
    stream.closed();
  }

  #closeStreams(): void {
    for (const stream of [...this.#streams]) this.#close(stream);
  }

  /** Ends the connection after an error of the peer. */
  #fail(code: Http2CodeName): void {
    this.#frames.stop();
    const content = Buffer.alloc(8);
    putUint32(content, 0, this.#streams.lastId);
    putUint32(content, 4, Http2Code[code]);
    this.#output.putHeader(content.length, FrameType.goAway, 0, 0);
    this.#output.put(content);
    this.#output.flush();
    const socket = this.#socket;
    socket.end();
    this.#closeStreams();
    setTimeout(() => socket.destroy(), closingMs).unref();
  }
}

const streamClosed = (): Http2ConnectionError =>
  http2ConnectionError("STREAM_CLOSED", "a frame on a stream that has ended");
