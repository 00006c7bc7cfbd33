/** Called when data was sent, or with false if the stream ended first. */
export type OnSent = (isSent: boolean) => void;

/** Something to send on a stream: a complete frame, or data, which the windows limit. */
export interface Pending {
  /** The bytes of the frame without its header, or of the data. */
  readonly bytes: Uint8Array;
  readonly isData: boolean;
  readonly endsStream: boolean;
  sent: number;
  readonly onSent: OnSent | undefined;
}

/** The state and the events of one stream. */
export abstract class Http2Stream {
  /** The number of bytes that may be sent. */
  sendWindow = 0;
  /** The number of bytes received since the window was last enlarged. */
  received = 0;
  /** True if received data must be read here before the client may send more. */
  isBehind = false;
  /** The number of bytes that the body still has; -1 if its length was not announced. */
  expected = -1;
  /** True if the client has sent everything. */
  isReceived = false;
  /** True if the end was sent, or waits for earlier data. Nothing can follow. */
  isEnding = false;
  /** True if everything was sent. */
  isSent = false;
  /** True if nothing can be sent or received any more. */
  isClosed = false;
  /** Frames and data that wait for a window. */
  pending: Pending[] | undefined;

  constructor(readonly id: number) {}

  /** Called when the headers have been read and this stream can send. */
  abstract begin(): void;
  /** Receives bytes of the body, which share the memory of the read buffer. */
  abstract receive(bytes: Buffer, start: number, end: number): void;
  /** Called when the client has sent everything. */
  abstract receiveEnd(): void;
  /** Called when nothing can be sent or received any more, for any reason. */
  abstract closed(): void;
}

const rememberedEnds = 64;
const rememberedResets = 1000;

/** The streams of a connection: open, ended and idle ones. */
export class Http2Streams {
  /** The highest ID of a stream that has begun. */
  lastId = 0;
  readonly #open = new Map<number, Http2Stream>();
  /**
   * The IDs of the last ended streams: frames for them have another meaning than for those that never began.
   */
  readonly #ended = new Uint32Array(rememberedEnds);
  #endedAt = 0;
  /** The IDs of streams that were reset here. Frames that the peer sent before it knew this are ignored. */
  readonly #resets = new Set<number>();
  /** The IDs of streams that have ended here, but not at the client. */
  readonly #left = new Set<number>();
  /** The IDs about which the client was asked; undefined if there was no question. */
  #asked: readonly number[] | undefined;

  /** The number of open streams, at this end or at the client's. */
  get size(): number {
    return this.#open.size + this.#left.size;
  }

  /** The open streams. */
  [Symbol.iterator](): Iterator<Http2Stream> {
    return this.#open.values();
  }

  /** Returns an open stream. */
  get(id: number): Http2Stream | undefined {
    return this.#open.get(id);
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream.id, stream);
  }

  /** Records the end of a stream. */
  delete({ id }: Http2Stream): void {
    this.#open.delete(id);
    this.#ended[this.#endedAt] = id;
    this.#endedAt = (this.#endedAt + 1) % rememberedEnds;
  }

  /** Checks whether a stream has not begun. */
  isIdle(id: number): boolean {
    return id > this.lastId || (id & 1) === 0;
  }

  /** Checks whether a stream has ended recently. */
  hasEnded(id: number): boolean {
    return this.#ended.includes(id);
  }

  /** Checks whether a stream was reset here recently. */
  wasReset(id: number): boolean {
    return this.#resets.has(id);
  }

  /**
   * Records the end of a stream on which the client was still sending. @returns true if the client must be
   * asked
   */
  leave(id: number): boolean {
    this.#left.add(id);
    return this.#asked === undefined && this.#ask();
  }

  /** Records that the client has ended a stream. @returns true if it had ended here before */
  forgetLeft(id: number): boolean {
    return this.#left.delete(id);
  }

  /**
   * Records that the client has answered, so that it knows of all earlier ends. @returns true if it must be
   * asked again
   */
  confirmLeft(): boolean {
    for (const id of this.#asked ?? []) this.#left.delete(id);
    return this.#ask();
  }

  #ask(): boolean {
    this.#asked = this.#left.size > 0 ? [...this.#left] : undefined;
    return this.#asked !== undefined;
  }

  /** Records that a stream was reset here. */
  rememberReset(id: number): void {
    this.#resets.add(id);
    if (this.#resets.size <= rememberedResets) return;
    const [oldest] = this.#resets;
    if (oldest !== undefined) this.#resets.delete(oldest);
  }
}
