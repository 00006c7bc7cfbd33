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
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  bmpString: 0x1e,
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
