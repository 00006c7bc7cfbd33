import { failures } from "../../../failure/failure";

/**
 * Identifier octets of the types in X.509, CMS and RFC 3161.
 *
 * @see https://www.itu.int/rec/T-REC-X.690
 */
export const DerTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The identifier octet of a constructed `[number]`: explicit tags, and implicit tags of sequences. */
export function constructedContext(number: number): number {
  return 0xa0 | lowTag(number);
}

/** The identifier octet of a primitive `[number]`: implicit tags of simple types. */
export function primitiveContext(number: number): number {
  return 0x80 | lowTag(number);
}

function lowTag(number: number): number {
  if (!Number.isInteger(number) || number < 0 || number > 30) {
    throw new RangeError(`a context tag must be an integer from 0 to 30 (got ${number})`);
  }
  return number;
}

export type DerErrorCode =
  /** The data ends within an element. */
  | "TRUNCATED"
  /** There are extra bytes after the element. */
  | "TRAILING_BYTES"
  /** A length or a value is not in the form that DER requires. It may be valid BER. */
  | "NOT_CANONICAL"
  /** The element has another type than expected. */
  | "UNEXPECTED_TAG"
  /** The content is not valid for the type. */
  | "INVALID_VALUE"
  /** The parser does not support it, such as a long tag or a length of more than 32 bits. */
  | "UNSUPPORTED";

export const [derError, isDerError] = failures<DerErrorCode>("DerError");

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
      throw derError("TRAILING_BYTES", `there are ${left} extra bytes after the DER element`);
    }
    return element;
  }

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
      throw derError("UNEXPECTED_TAG", `tag ${tagText(this.tag)} is a primitive type`);
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
   * Parses the content, and returns one of its elements, by default the first.
   *
   * @throws DerError also if there is no such element
   */
  child(index = 0): DerElement {
    const element = this.children()[index];
    if (element !== undefined) return element;
    throw derError("TRUNCATED", "a DER structure lacks an element");
  }

  /** Checks the tag, and returns this element for chaining. @throws DerError for any other tag */
  expect(...tags: readonly number[]): this {
    if (!tags.includes(this.tag)) {
      const wanted = tags.map(tagText).join(" or ");
      throw derError("UNEXPECTED_TAG", `expected tag ${wanted}, found ${tagText(this.tag)}`);
    }
    return this;
  }

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
      throw derError("UNSUPPORTED", `tag ${tagText(tag)} has a number above 30`);
    }
    const { length, offset } = readLength(buffer, start + 1);
    const end = offset + length;
    if (end > buffer.byteLength) {
      const missing = end - buffer.byteLength;
      throw derError("TRUNCATED", `the DER element lacks ${missing} of its ${length} bytes`);
    }
    return new DerElement(tag, buffer.subarray(start, end), buffer.subarray(offset, end));
  }
}

function readLength(buffer: Buffer, start: number): { length: number; offset: number } {
  const first = octet(buffer, start);
  if (first < 0x80) return { length: first, offset: start + 1 };
  const size = first & 0x7f;
  if (size === 0) throw derError("NOT_CANONICAL", "DER does not allow indefinite lengths");
  if (size > 4) throw derError("UNSUPPORTED", "a DER length has more than 32 bits");
  let length = 0;
  for (let index = 1; index <= size; index += 1) {
    length = length * 256 + octet(buffer, start + index);
  }
  // DER requires the shortest form: one octet below 128, and no leading zero octets.
  if (length < 0x80 || length < 2 ** (8 * (size - 1))) {
    throw derError("NOT_CANONICAL", `the DER length ${length} is not in its shortest form`);
  }
  return { length, offset: start + 1 + size };
}

function octet(buffer: Buffer, offset: number): number {
  const value = buffer[offset];
  if (value === undefined) throw derError("TRUNCATED", "the DER data ends within an element");
  return value;
}

function tagText(tag: number): string {
  return `0x${tag.toString(16).padStart(2, "0")}`;
}

/**
 * Encodes DER as PEM, with a line break at the end.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7468
 */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/**
 * Decodes all PEM blocks with a label, in order. Anything between blocks is ignored.
 *
 * @throws DerError if a block is not valid base64
 */
export function fromPem(label: string, pem: string): readonly Buffer[] {
  return [...pem.matchAll(block)]
    .filter(([, found]) => found === label)
    .map(([, , body = ""]) => {
      const base64 = body.replace(/\s/g, "");
      const der = Buffer.from(base64, "base64");
      if (der.byteLength === 0 || der.toString("base64") !== base64) {
        throw derError("INVALID_VALUE", `a PEM block "${label}" is not base64`);
      }
      return der;
    });
}
