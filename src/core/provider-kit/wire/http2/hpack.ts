import {
  FrameFlag,
  protocolError,
  readUint31,
  http2ConnectionError,
  type Http2ConnectionError,
} from "./http2-frame";
import { decodeHuffman } from "./huffman";
import {
  HeaderField,
  HeaderName,
  maxHeaderListBytes,
  RequestHeaders,
  staticTable,
} from "./request-headers";

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
      throw http2ConnectionError("ENHANCE_YOUR_CALM", "the headers are too long");
    }
    if ((flags & FrameFlag.endHeaders) === 0) return;
    this.#block = undefined;
    const joined = Buffer.concat(block.parts);
    this.#onBlock(block.start, joined, 0, joined.length);
  }
}

/** The largest dynamic table, which is also the initial one. */
const maxTableBytes = 4096;

/** The largest integer in a header block. */
const maxInteger = 2 ** 24;

/**
 * Reads the header blocks of one connection.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7541}
 */
export class HpackDecoder {
  /** The entries of the dynamic table, the oldest first. */
  readonly #dynamic: HeaderField[] = [];
  #dynamicBytes = 0;
  #limit = maxTableBytes;
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  /**
   * Reads a block.
   *
   * @throws Http2ConnectionError COMPRESSION_ERROR when the block is malformed, ENHANCE_YOUR_CALM when its headers are
   * too long
   */
  decode(buffer: Buffer, start: number, end: number): RequestHeaders {
    const headers = new RequestHeaders();
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
    let hasFields = false;
    while (this.#at < this.#end) {
      const byte = buffer[this.#at] ?? 0;
      if (byte >= 0x20 && byte < 0x40) {
        if (hasFields) throw malformed("a table size after a field");
        this.#resize(this.#integer(0x1f));
        continue;
      }
      headers.add(this.#field(byte));
      hasFields = true;
    }
    return headers;
  }

  #field(byte: number): HeaderField {
    if (byte >= 0x80) return this.#entry(this.#integer(0x7f));
    if (byte < 0x40) return this.#literal(0x0f);
    const field = this.#literal(0x3f);
    this.#keep(field);
    return field;
  }

  #entry(index: number): HeaderField {
    const known = staticTable.length;
    const field =
      index > known
        ? this.#dynamic[this.#dynamic.length - (index - known)]
        : staticTable[index - 1];
    if (field === undefined) throw malformed("an index beyond the tables");
    return field;
  }

  #literal(mask: number): HeaderField {
    const index = this.#integer(mask);
    const name = index === 0 ? new HeaderName(this.#string()) : this.#entry(index).name;
    return new HeaderField(name, this.#string());
  }

  #keep(field: HeaderField): void {
    this.#dynamic.push(field);
    this.#dynamicBytes += field.size;
    this.#evict();
  }

  #resize(limit: number): void {
    if (limit > maxTableBytes) throw malformed("a table larger than permitted");
    this.#limit = limit;
    this.#evict();
  }

  #evict(): void {
    while (this.#dynamicBytes > this.#limit) {
      this.#dynamicBytes -= this.#dynamic.shift()?.size ?? 0;
    }
  }

  #string(): string {
    if (this.#at >= this.#end) throw malformed("an incomplete string");
    const isCoded = (this.#buffer[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(0x7f);
    const start = this.#at;
    const end = start + length;
    if (end > this.#end) throw malformed("an incomplete string");
    this.#at = end;
    return isCoded
      ? decodeHuffman(this.#buffer, start, end)
      : this.#buffer.toString("latin1", start, end);
  }

  /** Reads an integer from the last bits of a byte, and from further bytes if these bits are all set. */
  #integer(mask: number): number {
    const buffer = this.#buffer;
    let value = (buffer[this.#at] ?? 0) & mask;
    this.#at += 1;
    if (value < mask) return value;
    for (let factor = 1; this.#at < this.#end && value <= maxInteger; factor *= 128) {
      const byte = buffer[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80 && value <= maxInteger) return value;
    }
    throw malformed("an incomplete or too large integer");
  }
}

const malformed = (what: string): Http2ConnectionError =>
  http2ConnectionError("COMPRESSION_ERROR", `the headers contain ${what}`);

/**
 * Writes a header block, without the dynamic table and without Huffman's code. Encode blocks that do not
 * change only once.
 */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  const bytes: number[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const exact = staticTable.findIndex((each) => each.name.text === name && each.value === value);
    if (exact >= 0 && value !== "") {
      bytes.push(0x80 | (exact + 1));
      continue;
    }
    const named = staticTable.findIndex((each) => each.name.text === name);
    if (named >= 0) putInteger(bytes, 0x0f, named + 1);
    else {
      bytes.push(0);
      putString(bytes, name);
    }
    putString(bytes, value);
  }
  return Buffer.from(bytes);
}

function putString(bytes: number[], text: string): void {
  const encoded = Buffer.from(text, "latin1");
  putInteger(bytes, 0x7f, encoded.length);
  for (const byte of encoded) bytes.push(byte);
}

function putInteger(bytes: number[], mask: number, value: number): void {
  if (value < mask) {
    bytes.push(value);
    return;
  }
  bytes.push(mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}
