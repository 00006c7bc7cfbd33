import type { Http2Connection } from "../http2/http2-connection";
import { type Http2Stream, maxHeldBytes } from "../http2/http2-streams";
import { FrameReader, maxMessageBytes, prefixBytes } from "./grpc-frame";
import { grpcError } from "./grpc-headers";

/**
 * The memory that a message needs in addition to its bytes. Without it, millions of empty messages would be
 * free.
 */
const overheadBytes = 512;

/**
 * The messages of one call. They count towards the connection's budget from their prefix until the call
 * releases them.
 */
export class CallMessages {
  readonly #connection: Http2Connection;
  readonly #stream: Http2Stream;
  /** The first message, until there is a queue. */
  #first: Uint8Array | undefined;
  /** Used only for messages that are not exactly one piece, which are rare. */
  #frames: FrameReader | undefined;
  #queue: MessageQueue | undefined;
  #extra = 0;
  #heldBytes = 0;

  constructor(connection: Http2Connection, stream: Http2Stream) {
    this.#connection = connection;
    this.#stream = stream;
  }

  /**
   * Receives bytes, which share the memory of the read buffer.
   *
   * @param isUnary true if messages after the first are an error, and are not kept
   * @throws GrpcError for a message that is malformed, or that the budget does not permit
   */
  receive(bytes: Buffer, start: number, end: number, isUnary: boolean): void {
    if (this.#frames === undefined && isWholeMessage(bytes, start, end)) {
      const from = start + prefixBytes;
      this.#hold(end - from);
      this.#accept(bytes.subarray(from, end), isUnary);
      return;
    }
    this.#frames ??= new FrameReader(maxMessageBytes, (length) => this.#hold(length));
    for (const message of this.#frames.push(bytes.subarray(start, end))) {
      this.#accept(message, isUnary);
    }
  }

  get areQueued(): boolean {
    return this.#queue !== undefined;
  }

  /** True if the end of a message is missing. */
  get isPartial(): boolean {
    return this.#frames?.isPartial === true;
  }

  /** The message of a unary call. @throws GrpcError INTERNAL if there is not exactly one */
  get only(): Uint8Array {
    if (this.#extra > 0 || this.#queue !== undefined) {
      throw grpcError("INTERNAL", "The call contains more than one message; it accepts one.");
    }
    if (this.#first === undefined) {
      throw grpcError("INTERNAL", "The call contains no message.");
    }
    return this.#first;
  }

  /** Returns a queue of all messages, including future ones. */
  queue(): MessageQueue {
    if (this.#queue !== undefined) return this.#queue;
    this.#queue = new MessageQueue(
      ({ byteLength }) => {
        this.#release(byteLength + overheadBytes);
      },
      () => {
        this.#stream.isBehind = false;
        this.#connection.enlarge(this.#stream);
      },
    );
    if (this.#first !== undefined) this.#queue.push(this.#first);
    return this.#queue;
  }

  /** No more messages follow. */
  end(): void {
    this.#frames = undefined;
    this.#queue?.end();
  }

  /** Frees the messages, which are no longer used. */
  release(): void {
    this.#release(this.#heldBytes);
  }

  #accept(message: Uint8Array, isUnary: boolean): void {
    if (this.#queue !== undefined) {
      this.#stream.isBehind = true;
      this.#queue.push(ownMemory(message));
    } else if (this.#first === undefined) this.#first = message;
    else if (isUnary) this.#extra += 1;
    // The call may permit several: that is not known yet. Nothing else keeps them.
    else this.queue().push(ownMemory(message));
  }

  #hold(length: number): void {
    const bytes = length + overheadBytes;
    if (!this.#connection.budget.hold(bytes)) {
      throw grpcError(
        "RESOURCE_EXHAUSTED",
        `All messages of a connection together must be at most ${maxHeldBytes} bytes long (this one has ${length}). Use a smaller -parallelism, so that Terraform makes fewer calls at the same time.`,
      );
    }
    this.#heldBytes += bytes;
  }

  #release(bytes: number): void {
    // A reader can be slower than its handler, with which everything was released.
    const released = Math.min(bytes, this.#heldBytes);
    this.#heldBytes -= released;
    this.#connection.budget.release(released);
  }
}

/** Checks whether a piece of a body is exactly one message, not compressed. */
function isWholeMessage(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start - prefixBytes;
  return length >= 0 && bytes[start] === 0 && bytes.readUInt32BE(start + 1) === length;
}

/** Copies a message that waits, which would otherwise keep the whole read buffer. */
const ownMemory = (message: Uint8Array): Uint8Array =>
  message.byteLength === message.buffer.byteLength ? message : new Uint8Array(message);

/** A queue of received messages, for one reader. */
class MessageQueue implements AsyncIterable<Uint8Array> {
  #messages: Uint8Array[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #onTaken: (message: Uint8Array) => void;
  readonly #onEmpty: () => void;

  /**
   * @param onTaken called when the reader gets a message
   * @param onEmpty called when the reader asks for a message and the queue is empty
   */
  constructor(onTaken: (message: Uint8Array) => void, onEmpty: () => void) {
    this.#onTaken = onTaken;
    this.#onEmpty = onEmpty;
  }

  push(message: Uint8Array): void {
    this.#messages.push(message);
    this.#wakeReader();
  }

  /** Marks the end: no more messages follow. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      // All at once, the last one first: to take the first of very many moves all the others.
      const messages = this.#messages.reverse();
      this.#messages = [];
      for (let next = messages.pop(); next !== undefined; next = messages.pop()) {
        this.#onTaken(next);
        yield next;
      }
      if (this.#messages.length > 0) continue;
      if (this.#ended) return;
      this.#onEmpty();
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
