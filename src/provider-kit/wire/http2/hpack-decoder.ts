import { HeaderField, HeaderName, staticTable } from "./hpack-field";
import { Http2ConnectionError } from "./http2-error";
import { decodeHuffman } from "./huffman";
import { RequestHeaders } from "./request-headers";

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
  new Http2ConnectionError("COMPRESSION_ERROR", `the headers contain ${what}`);
