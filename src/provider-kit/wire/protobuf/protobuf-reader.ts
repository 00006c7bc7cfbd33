import { ProtobufError } from "./protobuf-error";
import { readUtf8 } from "./utf8";

/**
 * The wire types of protobuf: how the bytes of a field are delimited.
 *
 * @see {@link https://protobuf.dev/programming-guides/encoding/}
 */
export const WireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const maxDepth = 100;
const two32 = 4294967296;

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
    throw new ProtobufError(
      `overlong varint at byte ${this.offset}: a tag or length has at most 32 bits`,
    );
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
    throw new ProtobufError(
      `overlong varint at byte ${this.offset}: an integer has at most 64 bits`,
    );
  }

  bool(): boolean {
    return this.int64() !== 0;
  }

  string(): string {
    const end = this.#lengthPrefixedEnd();
    const text = readUtf8(this.buffer, this.offset, end);
    if (text === undefined) {
      throw new ProtobufError(`invalid UTF-8 in the string at byte ${this.offset}`);
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
      throw new ProtobufError(`messages are nested deeper than ${maxDepth} levels`);
    }
    const value = read();
    this.#depth -= 1;
    this.end = outerEnd;
    return value;
  }

  /** Skips the value of an unknown field. */
  skip(wireType: number): void {
    switch (wireType) {
      case WireType.varint:
        this.#skipVarint();
        break;
      case WireType.fixed64:
        this.#advance(8);
        break;
      case WireType.bytes:
        this.offset = this.#lengthPrefixedEnd();
        break;
      case WireType.fixed32:
        this.#advance(4);
        break;
      default:
        throw new ProtobufError(
          `unsupported wire type ${wireType} before byte ${this.offset}` +
            (wireType === 3 || wireType === 4 ? " (groups are not part of proto3)" : ""),
        );
    }
  }

  #skipVarint(): void {
    for (let count = 0; count < 10; count += 1) {
      if (this.#byte() < 0x80) return;
    }
    throw new ProtobufError(
      `overlong varint at byte ${this.offset}: an integer has at most 64 bits`,
    );
  }

  #lengthPrefixedEnd(): number {
    const length = this.uint32();
    const end = this.offset + length;
    if (end > this.end) {
      throw new ProtobufError(
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

  #truncated(): ProtobufError {
    return new ProtobufError(`truncated message: it ends at byte ${this.end} inside a field`);
  }
}

function joinSigned(high: number, low: number): number {
  const value = (high >= 2 ** 31 ? high - two32 : high) * two32 + low;
  if (!Number.isSafeInteger(value)) {
    throw new ProtobufError(`the integer near ${value} is not a safe integer in JavaScript`);
  }
  return value;
}
