import { ProtobufError } from "./protobuf-error";
import { copyBytes, writeShortAscii } from "./utf8";

const initialCapacity = 1024;

/**
 * Writes the protobuf wire format from the last byte to the first.
 *
 * That way, the length of an embedded message is known when its prefix is written, and nothing has
 * to be measured or moved. Callers must write fields in reverse order, and a value before its tag.
 */
export class ProtobufWriter {
  #buffer: Buffer = Buffer.allocUnsafe(initialCapacity);
  #start = initialCapacity;

  /** The number of bytes written so far. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** Returns the message. The writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.#buffer.subarray(this.#start);
  }

  /** Writes an unsigned integer of at most 53 bits. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#buffer[this.#start] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
    this.#reserve(size);
    let rest = value;
    for (let at = this.#start; at < this.#start + size - 1; at += 1) {
      this.#buffer[at] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#start + size - 1] = rest;
  }

  /**
   * Writes a signed integer.
   *
   * @throws ProtobufError when the value is not a safe integer
   */
  int64(value: number): void {
    if (!Number.isSafeInteger(value)) {
      throw new ProtobufError(`${value} is not a safe integer`);
    }
    if (value >= 0) {
      this.varint(value);
      return;
    }
    this.#reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let at = this.#start; at < this.#start + 9; at += 1) {
      this.#buffer[at] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#buffer[this.#start + 9] = Number(rest);
  }

  string(value: string): void {
    let size = value.length;
    this.#reserve(size);
    if (!writeShortAscii(this.#buffer, this.#start, value)) {
      this.#start += size;
      size = Buffer.byteLength(value);
      this.#reserve(size);
      this.#buffer.write(value, this.#start, "utf8");
    }
    this.varint(size);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    copyBytes(value, this.#buffer, this.#start);
    this.varint(value.length);
  }

  tag(fieldNumber: number, wireType: number): void {
    this.varint(fieldNumber * 8 + wireType);
  }

  #reserve(count: number): void {
    if (count > this.#start) this.#grow(count);
    this.#start -= count;
  }

  #grow(count: number): void {
    const length = this.length;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, length + count * 2));
    const start = grown.length - length;
    this.#buffer.copy(grown, start, this.#start);
    this.#buffer = grown;
    this.#start = start;
  }
}
