import { readUtf8 } from "../wire/grpc/utf8";
import { type CtyNumber, narrowDouble, narrowInteger, parseNumber } from "./number";
import { Trail } from "./value";

const refinedUnknown = 12;

/**
 * Reads msgpack. If the next value has another type, a method throws a `CtyError` with the current path.
 *
 * @see {@link https://github.com/msgpack/msgpack/blob/master/spec.md}
 */
export class MsgpackReader extends Trail {
  #offset = 0;

  readonly #buffer: Buffer;

  constructor(buffer: Buffer) {
    super();
    this.#buffer = buffer;
  }

  /** @throws CtyError when bytes follow the value */
  finish(): void {
    const left = this.#buffer.length - this.#offset;
    if (left > 0) throw this.fail(`extra bytes after the value: ${left}`);
  }

  /** Reads a null. @returns false if the next value is not null */
  takeNil(): boolean {
    if (this.#buffer[this.#offset] !== 0xc0) return false;
    this.#offset += 1;
    return true;
  }

  /** Reads an unknown value and drops its refinements. @returns false if the next value is not unknown */
  takeUnknown(): boolean {
    const code = this.#buffer[this.#offset] ?? 0;
    if (code < 0xc7 || code > 0xd8 || (code > 0xc9 && code < 0xd4)) return false;
    this.#offset += 1;
    const size = code >= 0xd4 ? 1 << (code - 0xd4) : this.#uint(1 << (code - 0xc7));
    const kind = this.#uint(1);
    if (kind !== refinedUnknown && kind !== 0 && size > 1) {
      throw this.fail(`unsupported msgpack extension ${kind}`);
    }
    this.#take(size);
    return true;
  }

  bool(): boolean {
    const code = this.#code();
    if (code === 0xc3) return true;
    if (code === 0xc2) return false;
    throw this.#unexpected("a boolean", code);
  }

  number(): CtyNumber {
    const code = this.#code();
    if (code < 0x80) return code;
    if (code >= 0xe0) return code - 0x100;
    switch (code) {
      case 0xca:
        return this.#double(this.#buffer.readFloatBE(this.#take(4)));
      case 0xcb:
        return this.#double(this.#buffer.readDoubleBE(this.#take(8)));
      case 0xcc:
        return this.#uint(1);
      case 0xcd:
        return this.#uint(2);
      case 0xce:
        return this.#uint(4);
      case 0xcf:
        return narrowInteger(this.#buffer.readBigUInt64BE(this.#take(8)));
      case 0xd0:
        return this.#buffer.readInt8(this.#take(1));
      case 0xd1:
        return this.#buffer.readInt16BE(this.#take(2));
      case 0xd2:
        return this.#buffer.readInt32BE(this.#take(4));
      case 0xd3:
        return narrowInteger(this.#buffer.readBigInt64BE(this.#take(8)));
      default:
        return this.#decimal(code);
    }
  }

  string(): string {
    const code = this.#code();
    const size = this.#stringSize(code);
    if (size === undefined) throw this.#unexpected("a string", code);
    return this.#text(size);
  }

  /** Reads a byte string, or the bytes of a string. */
  binary(): Buffer {
    const code = this.#code();
    const size =
      code >= 0xc4 && code <= 0xc6 ? this.#uint(1 << (code - 0xc4)) : this.#stringSize(code);
    if (size === undefined) throw this.#unexpected("a byte string", code);
    const start = this.#take(size);
    return this.#buffer.subarray(start, start + size);
  }

  arrayHeader(expected: string): number {
    const code = this.#code();
    if (code >= 0x90 && code < 0xa0) return this.#count(code & 0x0f);
    if (code === 0xdc) return this.#count(this.#uint(2));
    if (code === 0xdd) return this.#count(this.#uint(4));
    throw this.#unexpected(expected, code);
  }

  mapHeader(expected: string): number {
    const code = this.#code();
    if (code >= 0x80 && code < 0x90) return this.#count(code & 0x0f);
    if (code === 0xde) return this.#count(this.#uint(2));
    if (code === 0xdf) return this.#count(this.#uint(4));
    throw this.#unexpected(expected, code);
  }

  /** Reads exactly these bytes. @returns false if others come next */
  takeExactly(expected: Buffer): boolean {
    const buffer = this.#buffer;
    const offset = this.#offset;
    const size = expected.length;
    for (let index = 0; index < size; index += 1) {
      if (buffer[offset + index] !== expected[index]) return false;
    }
    this.#offset = offset + size;
    return true;
  }

  #double(value: number): CtyNumber {
    if (Number.isNaN(value)) throw this.fail("NaN is not a number in Terraform");
    return narrowDouble(value);
  }

  #decimal(code: number): CtyNumber {
    const size = this.#stringSize(code);
    if (size === undefined) throw this.#unexpected("a number", code);
    try {
      return parseNumber(this.#text(size));
    } catch (error) {
      throw this.locate(error);
    }
  }

  #stringSize(code: number): number | undefined {
    if (code >= 0xa0 && code < 0xc0) return code & 0x1f;
    if (code >= 0xd9 && code <= 0xdb) return this.#uint(1 << (code - 0xd9));
    return undefined;
  }

  #text(size: number): string {
    const start = this.#take(size);
    const text = readUtf8(this.#buffer, start, start + size);
    if (text === undefined) throw this.fail("the string is not valid UTF-8");
    return text;
  }

  /** Every element has at least one byte, so a larger count is invalid. */
  #count(count: number): number {
    if (count > this.#buffer.length - this.#offset) throw this.#truncated();
    return count;
  }

  #uint(size: number): number {
    return this.#buffer.readUIntBE(this.#take(size), size);
  }

  #code(): number {
    return this.#buffer[this.#take(1)] ?? 0;
  }

  /** Skips `size` bytes and returns their start. */
  #take(size: number): number {
    const start = this.#offset;
    if (start + size > this.#buffer.length) throw this.#truncated();
    this.#offset = start + size;
    return start;
  }

  #truncated() {
    return this.fail(`truncated msgpack: it ends after ${this.#buffer.length} bytes`);
  }

  #unexpected(expected: string, code: number) {
    return this.fail(`expected ${expected}, found ${kindName(code)}`);
  }
}

function kindName(code: number): string {
  if (code === 0xc0) return "null";
  if (code === 0xc2 || code === 0xc3) return "a boolean";
  if (code >= 0xc4 && code <= 0xc6) return "a byte string";
  if ((code >= 0xa0 && code < 0xc0) || (code >= 0xd9 && code <= 0xdb)) return "a string";
  if ((code >= 0x90 && code < 0xa0) || code === 0xdc || code === 0xdd) return "an array";
  if ((code >= 0x80 && code < 0x90) || code === 0xde || code === 0xdf) return "a map";
  if (code < 0x80 || code >= 0xe0 || (code >= 0xca && code <= 0xd3)) return "a number";
  if ((code >= 0xc7 && code <= 0xc9) || (code >= 0xd4 && code <= 0xd8)) return "an unknown value";
  return `the invalid code 0x${code.toString(16)}`;
}
