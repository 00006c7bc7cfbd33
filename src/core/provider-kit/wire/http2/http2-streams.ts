import { http2ConnectionError } from "./http2-frame";

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
  /** The IDs of the last ended streams: frames for them have another meaning than for streams that never began. */
  readonly #ended = new Uint32Array(rememberedEnds);
  #endedAt = 0;
  /** The IDs of streams that were reset here. Frames that the peer sent before it knew this are ignored. */
  readonly #resets = new Set<number>();
  /** The IDs of streams that have ended here, but not at the client. */
  readonly #left = new Set<number>();
  /** The IDs that a ping asks the client about; undefined if no ping is unanswered. */
  #asked: readonly number[] | undefined;

  /** The number of open streams, at this end or at the client's. */
  get size(): number {
    return this.#open.size + this.#left.size;
  }

  [Symbol.iterator](): Iterator<Http2Stream> {
    return this.#open.values();
  }

  get(id: number): Http2Stream | undefined {
    return this.#open.get(id);
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream.id, stream);
  }

  delete({ id }: Http2Stream): void {
    this.#open.delete(id);
    this.#ended[this.#endedAt] = id;
    this.#endedAt = (this.#endedAt + 1) % rememberedEnds;
  }

  isIdle(id: number): boolean {
    return id > this.lastId || (id & 1) === 0;
  }

  hasEnded(id: number): boolean {
    return this.#ended.includes(id);
  }

  /** Checks whether a stream was reset here recently. */
  wasReset(id: number): boolean {
    return this.#resets.has(id);
  }

  /** Records the end of a stream on which the client was still sending. @returns true if a ping must be sent */
  leave(id: number): boolean {
    this.#left.add(id);
    return this.#asked === undefined && this.#ask();
  }

  /** Records that the client has ended a stream. @returns true if it had ended here before */
  forgetLeft(id: number): boolean {
    return this.#left.delete(id);
  }

  /** Records that the client has answered, so that it knows all earlier ends. @returns true if a ping must be sent */
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

/**
 * The number of bytes that all streams of a connection may hold together: messages until their handlers have
 * ended, and responses until the peer has received them. Enough for the largest message of gRPC, and for 64
 * MiB of others.
 */
export const maxHeldBytes = 320 * 1024 * 1024;

/** The work without content that a peer may cause: at once, and per second. */
const burst = 1000;
const perSecond = 33;

/** The headers of an ordinary call are much smaller. */
const freeHeaderBytes = 4096;

/** The limits of one connection: a budget of bytes, and one of work. */
export class Http2Budget {
  readonly #answerBytes: () => number;
  #messageBytes = 0;
  /** The remaining work: one for each frame without content, such as one that resets a new stream. */
  #work = burst;
  /** The time in seconds, of a monotonic clock. `performance.now` would load a module in each process. */
  #countedAt = process.uptime();

  /** @param answerBytes returns the number of response bytes that are not sent yet */
  constructor(answerBytes: () => number) {
    this.#answerBytes = answerBytes;
  }

  /** Reserves bytes for a message of the peer. @returns false if the budget is exhausted */
  hold(bytes: number): boolean {
    if (this.#messageBytes + this.#answerBytes() + bytes > maxHeldBytes) return false;
    this.#messageBytes += bytes;
    return true;
  }

  /** Releases bytes that `hold` has reserved. */
  release(bytes: number): void {
    this.#messageBytes -= bytes;
  }

  /** Counts work without content. @throws Http2ConnectionError ENHANCE_YOUR_CALM when there was too much */
  spend(work: number): void {
    this.checkAnswers();
    if (this.#work < work) this.#renew();
    this.#work -= work;
    if (this.#work < 0) {
      throw http2ConnectionError("ENHANCE_YOUR_CALM", "too many frames that carry nothing");
    }
  }

  /** Counts the work of headers beyond those of an ordinary call. @throws Http2ConnectionError ENHANCE_YOUR_CALM */
  spendHeaders(bytes: number): void {
    if (bytes > freeHeaderBytes) this.spend(Math.floor(bytes / freeHeaderBytes));
  }

  /** Refuses further requests of a peer that does not read its responses. @throws Http2ConnectionError ENHANCE_YOUR_CALM */
  checkAnswers(): void {
    if (this.#answerBytes() > maxHeldBytes) {
      throw http2ConnectionError("ENHANCE_YOUR_CALM", "the answers are not read");
    }
  }

  #renew(): void {
    const now = process.uptime();
    const more = Math.floor((now - this.#countedAt) * perSecond);
    this.#work = Math.min(burst, this.#work + more);
    this.#countedAt += more / perSecond;
  }
}
