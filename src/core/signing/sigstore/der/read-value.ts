import { type DerElement, DerTag, derError } from "./der-element";

/** The value of an OBJECT IDENTIFIER, in dotted form. Each number must be in its shortest form. */
export function readObjectIdentifier(element: DerElement): string {
  const { content } = element.expect(DerTag.objectIdentifier);
  const numbers: bigint[] = [];
  let value = 0n;
  let inside = false;
  for (const octet of content) {
    if (!inside && octet === 0x80) {
      throw derError("NOT_CANONICAL", "a number of an object identifier has a leading zero");
    }
    value = (value << 7n) | BigInt(octet & 0x7f);
    inside = (octet & 0x80) !== 0;
    if (!inside) {
      numbers.push(value);
      value = 0n;
    } else if (value > 1n << 128n) {
      throw derError("UNSUPPORTED", "a number of an object identifier has more than 128 bits");
    }
  }
  const [head, ...rest] = numbers;
  if (head === undefined || inside) {
    throw derError("INVALID_VALUE", "an object identifier ends inside a number");
  }
  const first = head < 80n ? head / 40n : 2n;
  return [first, head - first * 40n, ...rest].join(".");
}

export function readAlgorithm(element: DerElement): string {
  return readObjectIdentifier(element.expect(DerTag.sequence).child());
}

export function readInteger(element: DerElement): bigint {
  const { content } = element.expect(DerTag.integer);
  const [first, second] = content;
  if (first === undefined) throw derError("INVALID_VALUE", "an integer has no content");
  if (second !== undefined && (first === 0 ? second < 0x80 : first === 0xff && second >= 0x80)) {
    throw derError("NOT_CANONICAL", "an integer is not in its shortest form");
  }
  const value = BigInt(`0x${content.toString("hex")}`);
  return first < 0x80 ? value : value - (1n << BigInt(8 * content.byteLength));
}

export function readBoolean(element: DerElement): boolean {
  const { content } = element.expect(DerTag.boolean);
  if (content.byteLength !== 1) throw derError("INVALID_VALUE", "a boolean must have one octet");
  if (content[0] === 0xff) return true;
  if (content[0] === 0) return false;
  throw derError("NOT_CANONICAL", "true must be encoded as 0xff");
}

export function readOctetString(element: DerElement): Buffer {
  return element.expect(DerTag.octetString).content;
}

/** The octets of a BIT STRING without unused bits, such as a key or a signature. */
export function readBitString(element: DerElement): Buffer {
  const { content } = element.expect(DerTag.bitString);
  if (content[0] !== 0) {
    throw derError("INVALID_VALUE", "a bit string is not a whole number of octets");
  }
  return content.subarray(1);
}

/** The bits of a BIT STRING of named bits, such as KeyUsage. Element 0 is the first bit. */
export function readNamedBits(element: DerElement): readonly boolean[] {
  const { content } = element.expect(DerTag.bitString);
  const unused = content[0];
  const octets = content.subarray(1);
  if (unused === undefined || unused > 7 || (unused > 0 && octets.byteLength === 0)) {
    throw derError("INVALID_VALUE", "a bit string has a wrong number of unused bits");
  }
  const bits = [...octets].flatMap((octet) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((place) => ((octet >> place) & 1) === 1),
  );
  if (bits.splice(bits.length - unused, unused).includes(true)) {
    throw derError("NOT_CANONICAL", "the unused bits of a bit string are not zero");
  }
  return bits;
}

const asciiTags: readonly number[] = [
  DerTag.numericString,
  DerTag.printableString,
  DerTag.ia5String,
  DerTag.visibleString,
];

/** The value of a UTF8String, or of one of the ASCII types. */
export function readText(element: DerElement): string {
  const { tag, content } = element.expect(DerTag.utf8String, ...asciiTags);
  return tag === DerTag.utf8String ? utf8(content) : ascii(content);
}

/** Decodes UTF-8 strictly. @throws DerError if the octets are not valid UTF-8 */
export function utf8(octets: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
  } catch {
    throw derError("INVALID_VALUE", "a string is not valid UTF-8");
  }
}

/** Decodes ASCII strictly, such as a name in a SAN. @throws DerError if the octets are not ASCII */
export function ascii(octets: Uint8Array): string {
  if (octets.some((octet) => octet > 0x7f)) {
    throw derError("INVALID_VALUE", "a string that must be ASCII contains other characters");
  }
  return Buffer.from(octets).toString("latin1");
}

/** The time of a UTCTime (1950 to 2049) or a GeneralizedTime, which may have fractions. */
export function readTime(element: DerElement): Date {
  const { tag, content } = element.expect(DerTag.utcTime, DerTag.generalizedTime);
  const text = ascii(content);
  const pattern =
    tag === DerTag.utcTime
      ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)()Z$/
      : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/;
  const [, year, month, day, hour, minute, second, fraction = ""] = pattern.exec(text) ?? [];
  if (year === undefined) {
    throw derError("INVALID_VALUE", `"${text.slice(0, 40)}" is not a time in DER`);
  }
  const century = Number(year) < 50 ? "20" : "19";
  const millisecond = fraction.slice(0, 3).padEnd(3, "0");
  const iso = `${year.length === 4 ? "" : century}${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`;
  const date = new Date(iso);
  // `Date` accepts the 31st of February as a day in March.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) {
    throw derError("INVALID_VALUE", `"${text}" is not a valid date and time`);
  }
  return date;
}
