import { once } from "node:events";
import { type Duplex, duplexPair } from "node:stream";
import { setImmediate } from "node:timers/promises";

import type { GrpcServer } from "../../../../../src/core/provider-kit/wire/grpc/grpc-server";
import { headerBlock } from "../../../../../src/core/provider-kit/wire/http2/hpack";

/** The types of frames. */
export const [data, headers, , reset, settings, , ping, goAway, windowUpdate] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;
export const endStream = 1;
export const endHeaders = 4;

/** The header block of a call. */
export const request = (path: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  headerBlock({
    ":method": "POST",
    ":scheme": "http",
    ":path": path,
    "content-type": "application/grpc",
    ...more,
  });

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export const setting = (id: number, value: number): Buffer =>
  Buffer.concat([Buffer.of(0, id), number(value)]);

export function frame(
  type: number,
  flags: number,
  id: number,
  content: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(content.byteLength, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, content]);
}

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** A frame of the server. */
export interface Received {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly content: Buffer;
}

/** The client's end of a connection in memory, which sends anything, even if it is forbidden. */
export class Peer {
  readonly socket: Duplex;
  #pieces: Buffer[] = [];
  /** What was received of an incomplete frame. */
  #rest: Buffer = Buffer.alloc(0);
  readonly #frames = new Map<number, Received[]>();

  constructor(server: GrpcServer) {
    const [own, other] = duplexPair();
    this.socket = own;
    own.on("error", () => undefined);
    own.on("data", (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#read(piece);
    });
    own.on("close", () => other.destroy());
    other.on("close", () => own.destroy());
    server.accept(other);
    own.write(preface);
  }

  #read(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (at + 9 <= bytes.length) {
      const end = at + 9 + bytes.readUIntBE(at, 3);
      if (end > bytes.length) break;
      const [type = 0, flags = 0] = bytes.subarray(at + 3);
      const id = bytes.readUInt32BE(at + 5);
      this.frames(id).push({ type, flags, id, content: bytes.subarray(at + 9, end) });
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }

  /** Sends frames in one piece. */
  send(...frames: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** Everything that was received. */
  get bytes(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }

  /** The whole frames that were received on a stream. */
  frames(id: number): Received[] {
    const found = this.#frames.get(id) ?? [];
    this.#frames.set(id, found);
    return found;
  }

  /** The types of the frames that were received on a stream. */
  types(id: number): number[] {
    return this.frames(id).map(({ type }) => type);
  }

  /** Waits until a condition is met. */
  async until(isMet: () => boolean): Promise<void> {
    while (!isMet()) await setImmediate();
  }

  /** Waits until the server has read and answered everything so far. */
  async settle(): Promise<void> {
    const pongs = (): number => this.types(0).filter((type) => type === ping).length;
    const before = pongs();
    this.send(frame(ping, 0, 0, Buffer.alloc(8)));
    await this.until(() => pongs() > before || this.socket.destroyed);
    await setImmediate();
  }

  /** The code with which the server ended the connection. */
  async end(): Promise<number | undefined> {
    const ended = (): Received | undefined => this.frames(0).find(({ type }) => type === goAway);
    await this.until(() => ended() !== undefined);
    return ended()?.content.readUInt32BE(4);
  }

  /** Ends the connection without another word. */
  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    this.socket.destroy();
    await once(this.socket, "close");
  }
}
