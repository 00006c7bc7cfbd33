import { type Failure, failures } from "../../../failure/failure";
import { copyBytes, readUtf8, writeShortAscii } from "./utf8";

/** The error for bytes that are not a well-formed protobuf message, or a value that cannot be encoded. */
export const [protobufError, isProtobufError] = failures<"PROTOBUF">("ProtobufError");

/**
 * The wire types of protobuf: how the bytes of a field are delimited.
 *
 * @see {@link https://protobuf.dev/programming-guides/encoding/}
 */
export const WireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const maxDepth = 100;

/** Reads the primitives of the protobuf wire format. Never reads beyond the current message. */
export class ProtobufReader {
  offset = 0;
  /** The end of the innermost message. */
  end: number;
  #depth = 0;

  constructor(readonly buffer: Buffer) {
    this.end = buffer.length;
  }

  /** Reads a varint of at most 32 bits, unsigned: a tag or a length. */
  uint32(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      const byte = this.#byte();
      if (shift === 28 && byte > 0x0f) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw this.#overlong("a tag or length has at most 32 bits");
  }

  /** Reads a signed 64-bit integer, which must be a safe integer. */
  int64(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    // Nine groups of seven bits, split so that doubles stay exact, and one last bit: the sign.
    let low = first & 0x7f;
    let high = 0;
    for (let index = 1; index < 10; index += 1) {
      const byte = this.#byte();
      if (index === 9 && byte > 1) break;
      const bits = byte & 0x7f;
      if (index < 4) low += bits * 2 ** (7 * index);
      else if (index === 4) {
        low += (bits & 0x0f) * 2 ** 28;
        high = bits >>> 4;
      } else high += bits * 2 ** (7 * index - 32);
      if (byte < 0x80) return joinSigned(high, low);
    }
    throw this.#overlong("an integer has at most 64 bits");
  }

  string(): string {
    const end = this.#lengthPrefixedEnd();
    const text = readUtf8(this.buffer, this.offset, end);
    if (text === undefined) {
      throw protobufError("PROTOBUF", `invalid UTF-8 in the string at byte ${this.offset}`);
    }
    this.offset = end;
    return text;
  }

  /** Returns a view of the message's memory, not a copy. */
  bytes(): Uint8Array {
    const end = this.#lengthPrefixedEnd();
    const view = this.buffer.subarray(this.offset, end);
    this.offset = end;
    return view;
  }

  /** Reads an embedded message: runs `read` with its end as the limit. */
  nested<T>(read: () => T): T {
    const outerEnd = this.end;
    this.end = this.#lengthPrefixedEnd();
    this.#depth += 1;
    if (this.#depth > maxDepth) {
      throw protobufError("PROTOBUF", `messages are nested deeper than ${maxDepth} levels`);
    }
    const value = read();
    this.#depth -= 1;
    this.end = outerEnd;
    return value;
  }

  skip(wireType: number): void {
    if (wireType === WireType.varint) this.#skipVarint();
    else if (wireType === WireType.bytes) this.offset = this.#lengthPrefixedEnd();
    else if (wireType === WireType.fixed32) this.#advance(4);
    else if (wireType === WireType.fixed64) this.#advance(8);
    else {
      throw protobufError(
        "PROTOBUF",
        `unsupported wire type ${wireType} before byte ${this.offset}` +
          (wireType === 3 || wireType === 4 ? " (groups are not part of proto3)" : ""),
      );
    }
  }

  #skipVarint(): void {
    for (let count = 0; count < 10; count += 1) {
      if (this.#byte() < 0x80) return;
    }
    throw this.#overlong("an integer has at most 64 bits");
  }

  #lengthPrefixedEnd(): number {
    const length = this.uint32();
    const end = this.offset + length;
    if (end > this.end) {
      throw protobufError(
        "PROTOBUF",
        `truncated message: ${length} bytes announced at byte ${this.offset}, ` +
          `${this.end - this.offset} left`,
      );
    }
    return end;
  }

  #advance(count: number): void {
    if (this.offset + count > this.end) throw this.#truncated();
    this.offset += count;
  }

  #byte(): number {
    if (this.offset >= this.end) throw this.#truncated();
    const byte = this.buffer[this.offset] ?? 0;
    this.offset += 1;
    return byte;
  }

  #overlong(limit: string): Failure {
    return protobufError("PROTOBUF", `overlong varint at byte ${this.offset}: ${limit}`);
  }

  #truncated(): Failure {
    return protobufError(
      "PROTOBUF",
      `truncated message: it ends at byte ${this.end} inside a field`,
    );
  }
}

function joinSigned(high: number, low: number): number {
  const value = (high >= 2 ** 31 ? high - 2 ** 32 : high) * 2 ** 32 + low;
  if (!Number.isSafeInteger(value)) {
    throw protobufError(
      "PROTOBUF",
      `the integer near ${value} is not a safe integer in JavaScript`,
    );
  }
  return value;
}

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

  /** Writes a signed integer. @throws ProtobufError when the value is not a safe integer */
  int64(value: number): void {
    if (!Number.isSafeInteger(value)) {
      throw protobufError("PROTOBUF", `${value} is not a safe integer`);
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
