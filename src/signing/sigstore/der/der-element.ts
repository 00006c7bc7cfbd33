import { DerError } from "./der-error";
import { DerTag } from "./der-tag";

/**
 * A DER element: a tag, a length, and the content.
 *
 * It is a view of the bytes, which must not change while it is in use.
 *
 * @see https://www.itu.int/rec/T-REC-X.690
 */
export class DerElement {
  private constructor(
    /** The identifier octet, see `DerTag`. */
    readonly tag: number,
    /** The whole element, as covered by a signature. */
    readonly bytes: Buffer,
    readonly content: Buffer,
  ) {}

  /**
   * Parses bytes that consist of exactly one element.
   *
   * @throws DerError if there are too few or too many bytes, or if they are not DER
   */
  static read(bytes: Uint8Array): DerElement {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const element = DerElement.#readAt(buffer, 0);
    const left = buffer.byteLength - element.bytes.byteLength;
    if (left > 0) {
      throw new DerError("TRAILING_BYTES", `there are ${left} extra bytes after the DER element`);
    }
    return element;
  }

  /** Whether the content consists of elements. */
  get isConstructed(): boolean {
    return (this.tag & 0x20) !== 0;
  }

  /**
   * Parses the elements in the content, in order.
   *
   * @throws DerError if this is a primitive type, or if the content is not DER
   */
  children(): readonly DerElement[] {
    if (!this.isConstructed) {
      throw new DerError("UNEXPECTED_TAG", `tag ${tagText(this.tag)} is a primitive type`);
    }
    const children: DerElement[] = [];
    for (let offset = 0; offset < this.content.byteLength;) {
      const child = DerElement.#readAt(this.content, offset);
      children.push(child);
      offset += child.bytes.byteLength;
    }
    return children;
  }

  /**
   * Checks the tag, and returns this element for chaining.
   *
   * @throws DerError if the tag is none of these
   */
  expect(...tags: readonly number[]): this {
    if (!tags.includes(this.tag)) {
      const wanted = tags.map(tagText).join(" or ");
      throw new DerError("UNEXPECTED_TAG", `expected tag ${wanted}, found ${tagText(this.tag)}`);
    }
    return this;
  }

  /** The elements of a SEQUENCE. */
  sequence(): readonly DerElement[] {
    return this.expect(DerTag.sequence).children();
  }

  /** The elements of a SET. Their order has no meaning. */
  set(): readonly DerElement[] {
    return this.expect(DerTag.set).children();
  }

  static #readAt(buffer: Buffer, start: number): DerElement {
    const tag = octet(buffer, start);
    if ((tag & 0x1f) === 0x1f) {
      throw new DerError("UNSUPPORTED", `tag ${tagText(tag)} has a number above 30`);
    }
    const { length, offset } = readLength(buffer, start + 1);
    const end = offset + length;
    if (end > buffer.byteLength) {
      const missing = end - buffer.byteLength;
      throw new DerError("TRUNCATED", `the DER element lacks ${missing} of its ${length} bytes`);
    }
    return new DerElement(tag, buffer.subarray(start, end), buffer.subarray(offset, end));
  }
}

function readLength(buffer: Buffer, start: number): { length: number; offset: number } {
  const first = octet(buffer, start);
  if (first < 0x80) return { length: first, offset: start + 1 };
  const size = first & 0x7f;
  if (size === 0) throw new DerError("NOT_CANONICAL", "DER does not allow indefinite lengths");
  if (size > 4) throw new DerError("UNSUPPORTED", "a DER length has more than 32 bits");
  let length = 0;
  for (let index = 1; index <= size; index += 1) {
    length = length * 256 + octet(buffer, start + index);
  }
  // DER requires the shortest form: one octet below 128, and no leading zero octets.
  if (length < 0x80 || length < 2 ** (8 * (size - 1))) {
    throw new DerError("NOT_CANONICAL", `the DER length ${length} is not in its shortest form`);
  }
  return { length, offset: start + 1 + size };
}

function octet(buffer: Buffer, offset: number): number {
  const value = buffer[offset];
  if (value === undefined) throw new DerError("TRUNCATED", "the DER data ends within an element");
  return value;
}

function tagText(tag: number): string {
  return `0x${tag.toString(16).padStart(2, "0")}`;
}
