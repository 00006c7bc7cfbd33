import {
  defaultFrameBytes,
  defaultWindow,
  frameSizeError,
  FrameType,
  Http2ConnectionError,
  protocolError,
  putUint32,
} from "./http2-frame";
import type { Http2Output } from "./http2-output";
import { checkWindow, type Http2Sender } from "./http2-sender";
import type { Http2Stream } from "./http2-streams";
import { maxHeaderListBytes } from "./request-headers";

const Setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

const settingBytes = 6;
const defaultTableBytes = 4096;
const megabyte = 1024 * 1024;

/** The number of streams that may be open at once. */
export const maxStreams = 1000;
/** The number of bytes that may arrive on a stream before its window is enlarged. */
export const streamWindow = 16 * megabyte;
/** The number of bytes that may arrive on all streams before their window is enlarged. */
export const connectionWindow = 64 * megabyte;

/** Sends this end's settings. */
export function putSettings(output: Http2Output): void {
  const settings = [
    [Setting.maxConcurrentStreams, maxStreams],
    [Setting.initialWindowSize, streamWindow],
    [Setting.maxHeaderListSize, maxHeaderListBytes],
  ] as const;
  output.putHeader(settings.length * settingBytes, FrameType.settings, 0, 0);
  for (const [id, value] of settings) {
    const content = Buffer.of(0, id, 0, 0, 0, 0);
    putUint32(content, 2, value);
    output.put(content);
  }
  output.putNumber(FrameType.windowUpdate, 0, connectionWindow - defaultWindow);
}

/** Applies the peer's settings. @throws Http2ConnectionError for a value that is not permitted */
export function applySettings(
  bytes: Buffer,
  start: number,
  end: number,
  sender: Http2Sender,
  open: Iterable<Http2Stream>,
): void {
  if ((end - start) % settingBytes !== 0) throw frameSizeError();
  let window = sender.streamWindow;
  for (let at = start; at < end; at += settingBytes) {
    const value = bytes.readUInt32BE(at + 2);
    switch (bytes.readUInt16BE(at)) {
      case Setting.headerTableSize:
        if (value < defaultTableBytes) sender.confirmsTable = true;
        break;
      case Setting.enablePush:
        if (value > 1) throw protocolError("a setting for pushes that is no boolean");
        break;
      case Setting.initialWindowSize:
        checkWindow(value);
        window = value;
        break;
      case Setting.maxFrameSize:
        if (value < defaultFrameBytes || value > 2 ** 24 - 1) {
          throw protocolError("a frame size beyond the limits");
        }
        sender.frameBytes = value;
        break;
      default:
      // The others limit what this end does not send.
    }
  }
  // Once: a frame can have thousands of values, and each changes all the streams.
  if (window !== sender.streamWindow) sender.setStreamWindow(window, open);
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
  /** The bytes of the peer's messages. */
  #messageBytes = 0;
  /**
   * The remaining work: one for each frame without content, such as one that resets a stream as soon as it
   * has begun.
   */
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
      throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "too many frames that carry nothing");
    }
  }

  /**
   * Counts the work of headers beyond those of an ordinary call. @throws Http2ConnectionError
   * ENHANCE_YOUR_CALM
   */
  spendHeaders(bytes: number): void {
    if (bytes > freeHeaderBytes) this.spend(Math.floor(bytes / freeHeaderBytes));
  }

  /**
   * Refuses further requests of a peer that does not read its responses. @throws Http2ConnectionError
   * ENHANCE_YOUR_CALM
   */
  checkAnswers(): void {
    if (this.#answerBytes() > maxHeldBytes) {
      throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "the answers are not read");
    }
  }

  #renew(): void {
    const now = process.uptime();
    const more = Math.floor((now - this.#countedAt) * perSecond);
    this.#work = Math.min(burst, this.#work + more);
    this.#countedAt += more / perSecond;
  }
}
