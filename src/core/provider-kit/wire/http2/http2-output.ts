import type { Duplex } from "node:stream";
import { frameHeaderBytes, putFrameHeader, putUint32 } from "./http2-frame";

const slabBytes = 16_384;

/** From this length on, bytes are written without being copied. */
const copiedBytes = 4096;

/** Collects the writes of one turn of the event loop, and passes them to the socket at its end. */
export class Http2Output {
  slab: Buffer = Buffer.allocUnsafeSlow(slabBytes);
  #start = 0;
  #at = 0;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isScheduled = false;
  #listeners: (() => void)[] = [];
  /** The listeners to call when a write of the socket is done. */
  readonly #unwritten = new Set<() => void>();
  readonly #socket: Duplex;
  readonly #flush = (): void => {
    this.flush();
  };

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** The number of bytes that the peer has not read yet. */
  get waitingBytes(): number {
    return this.#socket.writableLength + this.#partBytes + this.#at - this.#start;
  }

  /** Reserves some bytes of `slab`, at most 8192, and returns the position of the first. */
  reserve(bytes: number): number {
    if (this.#at + bytes > this.slab.length) {
      this.#closePart();
      this.slab = Buffer.allocUnsafeSlow(slabBytes);
      this.#start = this.#at = 0;
    }
    const at = this.#at;
    this.#at += bytes;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      process.nextTick(this.#flush);
    }
    return at;
  }

  /** Adds bytes, which must not change afterwards. */
  put(bytes: Uint8Array): void {
    if (bytes.byteLength < copiedBytes) {
      const at = this.reserve(bytes.byteLength);
      this.slab.set(bytes, at);
      return;
    }
    this.reserve(0);
    this.#closePart();
    this.#addPart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  putHeader(length: number, type: number, flags: number, id: number): void {
    const at = this.reserve(frameHeaderBytes);
    putFrameHeader(this.slab, at, length, type, flags, id);
  }

  /** Adds a frame whose content is one number. */
  putNumber(type: number, id: number, value: number): void {
    const at = this.reserve(frameHeaderBytes + 4);
    putFrameHeader(this.slab, at, 4, type, 0, id);
    putUint32(this.slab, at + frameHeaderBytes, value);
  }

  /** Calls a listener when everything written so far was passed to the system. */
  afterwards(listener: () => void): void {
    this.reserve(0);
    this.#listeners.push(listener);
  }

  flush(): void {
    this.#isScheduled = false;
    const socket = this.#socket;
    let written: (() => void) | undefined;
    if (this.#listeners.length > 0) {
      const listeners = this.#listeners;
      this.#listeners = [];
      const notify = (): void => {
        if (!this.#unwritten.delete(notify)) return;
        for (const listener of listeners) listener();
      };
      this.#unwritten.add(notify);
      written = notify;
    }
    if (socket.destroyed || socket.writableEnded) {
      this.#start = this.#at;
      this.#takeParts();
      written?.();
      return;
    }
    if (this.#parts.length === 0) {
      if (this.#at > this.#start) socket.write(this.#takePart(), written);
      else if (written !== undefined) socket.write("", written);
      return;
    }
    this.#closePart();
    const parts = this.#takeParts();
    const last = parts.pop();
    socket.cork();
    for (const part of parts) socket.write(part);
    if (last !== undefined) socket.write(last, written);
    socket.uncork();
  }

  /** Handles the end of the socket. Not every kind of socket reports it for each write. */
  closed(): void {
    for (const notify of [...this.#unwritten]) notify();
  }

  #takePart(): Buffer {
    const part = this.slab.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return part;
  }

  #closePart(): void {
    if (this.#at > this.#start) this.#addPart(this.#takePart());
  }

  #addPart(part: Buffer): void {
    this.#parts.push(part);
    this.#partBytes += part.length;
  }

  #takeParts(): Buffer[] {
    const parts = this.#parts;
    this.#parts = [];
    this.#partBytes = 0;
    return parts;
  }
}
