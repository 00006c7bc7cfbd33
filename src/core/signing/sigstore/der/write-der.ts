import { constructedContext, DerTag, primitiveContext, derError } from "./der-element";

/** Encodes an element from a tag and the parts of its content. */
export function derElement(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  return Buffer.concat([Buffer.of(tag, ...lengthOctets(length)), ...parts]);
}

export function derSequence(...elements: readonly Uint8Array[]): Buffer {
  return derElement(DerTag.sequence, ...elements);
}

/** SET of elements, in the order that DER requires. */
export function derSet(...elements: readonly Uint8Array[]): Buffer {
  return derElement(DerTag.set, ...elements.toSorted((a, b) => Buffer.compare(a, b)));
}

/** `[number] EXPLICIT`, or an implicit tag of a constructed type. */
export function derContext(number: number, ...elements: readonly Uint8Array[]): Buffer {
  return derElement(constructedContext(number), ...elements);
}

/** `[number] IMPLICIT` of a primitive type. */
export function derContextPrimitive(number: number, content: Uint8Array): Buffer {
  return derElement(primitiveContext(number), content);
}

/** INTEGER, in its shortest form. */
export function derInteger(value: bigint | number): Buffer {
  return derElement(DerTag.integer, integerOctets(BigInt(value)));
}

/** INTEGER from the octets of an unsigned number, such as a serial number. */
export function derUnsigned(octets: Uint8Array): Buffer {
  return derInteger(BigInt(`0x${Buffer.from(octets).toString("hex") || "0"}`));
}

export function derBoolean(value: boolean): Buffer {
  return derElement(DerTag.boolean, Buffer.of(value ? 0xff : 0));
}

export function derNull(): Buffer {
  return derElement(DerTag.null);
}

/** OBJECT IDENTIFIER from its dotted form. @throws DerError if the string is not an object identifier */
export function derObjectIdentifier(dotted: string): Buffer {
  if (!/^[0-2](?:\.(?:0|[1-9]\d*))+$/.test(dotted)) {
    throw derError("INVALID_VALUE", `"${dotted}" is not an object identifier`);
  }
  const [first = 0n, second = 0n, ...rest] = dotted.split(".").map(BigInt);
  if (first < 2n && second > 39n) {
    throw derError("INVALID_VALUE", `the second number of "${dotted}" is above 39`);
  }
  const octets = [first * 40n + second, ...rest].flatMap(base128);
  return derElement(DerTag.objectIdentifier, Buffer.from(octets));
}

export function derOctetString(octets: Uint8Array): Buffer {
  return derElement(DerTag.octetString, octets);
}

/** BIT STRING of whole octets, such as a key or a signature. */
export function derBitString(octets: Uint8Array): Buffer {
  return derElement(DerTag.bitString, Buffer.of(0), octets);
}

/** BIT STRING of named bits (at most 16), such as KeyUsage; 0 is the first bit. */
export function derNamedBits(...places: readonly number[]): Buffer {
  const last = Math.max(-1, ...places);
  const octets = Buffer.alloc((last >> 3) + 1);
  for (const place of places) {
    octets.writeUInt8(octets.readUInt8(place >> 3) | (0x80 >> (place & 7)), place >> 3);
  }
  return derElement(DerTag.bitString, Buffer.of(last < 0 ? 0 : 7 - (last & 7)), octets);
}

export function derUtf8String(text: string): Buffer {
  return derElement(DerTag.utf8String, Buffer.from(text, "utf8"));
}

/** A time as in X.509, in whole seconds: UTCTime up to 2049, GeneralizedTime afterwards. */
export function derTime(date: Date): Buffer {
  const year = date.getUTCFullYear();
  if (year < 1950 || year > 2049) return derGeneralizedTime(date);
  return derElement(DerTag.utcTime, Buffer.from(`${digits(date).slice(2, 14)}Z`, "latin1"));
}

/** GeneralizedTime in whole seconds. */
export function derGeneralizedTime(date: Date): Buffer {
  return derElement(DerTag.generalizedTime, Buffer.from(`${digits(date).slice(0, 14)}Z`, "latin1"));
}

function digits(date: Date): string {
  return date.toISOString().replace(/\D/g, "");
}

function lengthOctets(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) octets.unshift(left % 256);
  return [0x80 | octets.length, ...octets];
}

function integerOctets(value: bigint): Buffer {
  let size = 1n;
  while (value < -(1n << (8n * size - 1n)) || value >= 1n << (8n * size - 1n)) size += 1n;
  const hex = BigInt.asUintN(Number(8n * size), value).toString(16);
  return Buffer.from(hex.padStart(Number(2n * size), "0"), "hex");
}

function base128(value: bigint): readonly number[] {
  const octets = [Number(value & 0x7fn)];
  for (let left = value >> 7n; left > 0n; left >>= 7n) {
    octets.unshift(Number(left & 0x7fn) | 0x80);
  }
  return octets;
}
