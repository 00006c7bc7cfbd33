import type { Http2Stream } from "./http2-stream";

const rememberedEnds = 64;
const rememberedResets = 1000;

/** The streams of a connection: which are open, which have ended, and which have not begun. */
export class Http2Streams {
  /** The highest ID of a stream that has begun. */
  lastId = 0;
  readonly #open = new Map<number, Http2Stream>();
  /** The streams that have ended last: frames for them have another meaning than for those that never began. */
  readonly #ended = new Uint32Array(rememberedEnds);
  #endedAt = 0;
  /** Streams that were reset here. What the peer sent before it knew this is ignored. */
  readonly #resets = new Set<number>();
  /** Streams that have ended here, but not at the client. */
  readonly #left = new Set<number>();
  /** Those about which the client was asked; undefined if nothing was. */
  #asked: readonly number[] | undefined;

  /** How many streams are open, at this end or at the client's. */
  get size(): number {
    return this.#open.size + this.#left.size;
  }

  /** The open streams. */
  [Symbol.iterator](): Iterator<Http2Stream> {
    return this.#open.values();
  }

  /** An open stream. */
  get(id: number): Http2Stream | undefined {
    return this.#open.get(id);
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream.id, stream);
  }

  /** A stream has ended. */
  delete({ id }: Http2Stream): void {
    this.#open.delete(id);
    this.#ended[this.#endedAt] = id;
    this.#endedAt = (this.#endedAt + 1) % rememberedEnds;
  }

  /** Whether a stream has not begun. */
  isIdle(id: number): boolean {
    return id > this.lastId || (id & 1) === 0;
  }

  /** Whether a stream has ended lately. */
  hasEnded(id: number): boolean {
    return this.#ended.includes(id);
  }

  /** Whether a stream was reset here lately. */
  wasReset(id: number): boolean {
    return this.#resets.has(id);
  }

  /** A stream has ended here while the client was sending. @returns whether the client has to be asked */
  leave(id: number): boolean {
    this.#left.add(id);
    return this.#asked === undefined && this.#ask();
  }

  /** The client has ended a stream. @returns whether it had ended here before */
  forgetLeft(id: number): boolean {
    return this.#left.delete(id);
  }

  /** The client has answered, so it knows of all ends before. @returns whether it has to be asked again */
  confirmLeft(): boolean {
    for (const id of this.#asked ?? []) this.#left.delete(id);
    return this.#ask();
  }

  #ask(): boolean {
    this.#asked = this.#left.size > 0 ? [...this.#left] : undefined;
    return this.#asked !== undefined;
  }

  /** A stream is reset here. */
  rememberReset(id: number): void {
    this.#resets.add(id);
    if (this.#resets.size <= rememberedResets) return;
    const [oldest] = this.#resets;
    if (oldest !== undefined) this.#resets.delete(oldest);
  }
}
