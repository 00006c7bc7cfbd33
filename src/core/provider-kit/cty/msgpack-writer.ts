import { copyBytes, writeShortAscii } from "../wire/grpc/utf8";
import { Trail } from "./value";

const nonAscii = /[^\0-\x7f]/;

/** An extension of type 12 with the refinements as a map: 1, which is nullness, is false. */
const notNull = Uint8Array.of(0xc7, 3, 12, 0x81, 1, 0xc2);

/**
 * Writes msgpack, always in the shortest form, as Terraform does.
 *
 * @see {@link https://github.com/msgpack/msgpack/blob/master/spec.md}
 */
export class MsgpackWriter extends Trail {
  offset = 0;
  /** The number of unknown values written so far. */
  unknownCount = 0;
  #buffer: Buffer;

  constructor(capacity: number) {
    super();
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  finish(): Buffer {
    return this.#buffer.subarray(0, this.offset);
  }

  /** Returns a copy of the bytes written since `start`. */
  copyFrom(start: number): Buffer {
    return Buffer.from(this.#buffer.subarray(start, this.offset));
  }

  nil(): void {
    this.#byte(0xc0);
  }

  unknown(): void {
    this.unknownCount += 1;
    this.#reserve(3);
    this.#buffer[this.offset++] = 0xd4;
    this.#buffer[this.offset++] = 0;
    this.#buffer[this.offset++] = 0;
  }

  /** Writes an unknown value with the refinement that it is not null. */
  unknownNotNull(): void {
    this.unknownCount += 1;
    this.raw(notNull);
  }

  bool(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** Writes an integer of at most 53 bits. */
  integer(value: number): void {
    if (value >= 0) {
      if (value < 0x80) this.#byte(value);
      else if (value <= 0xff) this.#sized(0xcc, value, 1);
      else if (value <= 0xffff) this.#sized(0xcd, value, 2);
      else if (value <= 0xffffffff) this.#sized(0xce, value, 4);
      else this.#int64(0xcf, BigInt(value));
    } else if (value >= -0x20) this.#byte(value & 0xff);
    else if (value >= -0x80) this.#sized(0xd0, value + 2 ** 8, 1);
    else if (value >= -0x8000) this.#sized(0xd1, value + 2 ** 16, 2);
    else if (value >= -0x80000000) this.#sized(0xd2, value + 2 ** 32, 4);
    else this.#int64(0xd3, BigInt(value));
  }

  /** Writes a signed or unsigned integer of at most 64 bits. */
  bigInteger(value: bigint): void {
    this.#int64(value < 0n ? 0xd3 : 0xcf, value);
  }

  float(value: number): void {
    this.#reserve(9);
    this.#buffer[this.offset] = 0xcb;
    this.#buffer.writeDoubleBE(value, this.offset + 1);
    this.offset += 9;
  }

  /** Writes a string in Unicode normal form NFC, in which Terraform compares strings. */
  string(value: string): void {
    const size = value.length;
    if (size < 32) {
      this.#reserve(size + 1);
      if (writeShortAscii(this.#buffer, this.offset + 1, value)) {
        this.#buffer[this.offset] = 0xa0 | size;
        this.offset += size + 1;
        return;
      }
    }
    this.#longString(nonAscii.test(value) ? value.normalize("NFC") : value);
  }

  binary(value: Uint8Array): void {
    if (value.length <= 0xff) this.#sized(0xc4, value.length, 1);
    else if (value.length <= 0xffff) this.#sized(0xc5, value.length, 2);
    else this.#sized(0xc6, value.length, 4);
    this.raw(value);
  }

  arrayHeader(count: number): void {
    if (count < 16) this.#byte(0x90 | count);
    else if (count <= 0xffff) this.#sized(0xdc, count, 2);
    else this.#sized(0xdd, count, 4);
  }

  mapHeader(count: number): void {
    if (count < 16) this.#byte(0x80 | count);
    else if (count <= 0xffff) this.#sized(0xde, count, 2);
    else this.#sized(0xdf, count, 4);
  }

  /** Writes bytes that are already msgpack. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    copyBytes(value, this.#buffer, this.offset);
    this.offset += value.length;
  }

  #longString(text: string): void {
    const size = Buffer.byteLength(text);
    if (size < 32) this.#byte(0xa0 | size);
    else if (size <= 0xff) this.#sized(0xd9, size, 1);
    else if (size <= 0xffff) this.#sized(0xda, size, 2);
    else this.#sized(0xdb, size, 4);
    this.#reserve(size);
    if (!writeShortAscii(this.#buffer, this.offset, text)) {
      this.#buffer.write(text, this.offset, "utf8");
    }
    this.offset += size;
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.offset++] = value;
  }

  #sized(code: number, value: number, size: 1 | 2 | 4): void {
    this.#reserve(5);
    this.#buffer[this.offset] = code;
    this.#buffer.writeUIntBE(value, this.offset + 1, size);
    this.offset += 1 + size;
  }

  #int64(code: number, value: bigint): void {
    this.#reserve(9);
    this.#buffer[this.offset] = code;
    this.#buffer.writeBigUInt64BE(BigInt.asUintN(64, value), this.offset + 1);
    this.offset += 9;
  }

  #reserve(count: number): void {
    const needed = this.offset + count;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, needed));
    this.#buffer.copy(grown, 0, 0, this.offset);
    this.#buffer = grown;
  }
}
