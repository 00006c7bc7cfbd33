/** The identifier octets that X.509, CMS and RFC 3161 use. */
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

/** The identifier octet of `[number]` with elements inside: explicit tags, and sequences. */
export function constructedContext(number: number): number {
  return 0xa0 | lowTag(number);
}

/** The identifier octet of `[number]` with plain content: implicit tags of simple types. */
export function primitiveContext(number: number): number {
  return 0x80 | lowTag(number);
}

function lowTag(number: number): number {
  if (!Number.isInteger(number) || number < 0 || number > 30) {
    throw new RangeError(`a context tag is a whole number from 0 to 30 (got ${number})`);
  }
  return number;
}
