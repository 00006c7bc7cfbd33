/**
 * Text as bytes (UTF-8, with surrogates encoded one by one), and the position of each byte. Equivalent characters have the
 * same byte: a space and a plus sign, as which forms encode it, and the characters that differ between the two alphabets
 * of base64.
 */
export interface TextBytes {
  readonly bytes: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export function bytesOf(text: string): TextBytes {
  const found = new Bytes();
  for (let at = 0; at < text.length; at++) found.push(encoded(text.charCodeAt(at)), at, at + 1);
  return found;
}

/** Returns text in standard UTF-8, as URLs encode it. */
export function utf8Of(text: string): TextBytes {
  const found = new Bytes();
  found.push([...Buffer.from(text)], 0, text.length);
  return found;
}

/** Returns the bytes without the escapes of JSON; undefined if there are no escapes. */
export const jsonUnescaped = (text: TextBytes): TextBytes | undefined =>
  unescaped(text, backslash, jsonEscape);

/** Returns the bytes without the escapes of URLs; undefined if there are no escapes. */
export const urlUnescaped = (text: TextBytes): TextBytes | undefined =>
  unescaped(text, percent, urlEscape);

/** Removes the beginning of an escape from the end of text that was cut. */
export function withoutHalfEscape(text: string): string {
  const half = /(?:%[\da-f]?|\\u[\da-f]{0,3})$/i.exec(text.slice(-6))?.[0] ?? "";
  let length = text.length - half.length;
  while (length > 0 && /[\\%]/.test(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}

const code = (character: string): number => character.charCodeAt(0);
const [backslash, percent, lowerU] = [0x5c, 0x25, 0x75] as const;
const [plus, minus, space, underscore, slash] = [0x2b, 0x2d, 0x20, 0x5f, 0x2f] as const;

/** Maps each byte to the representative of its equivalents. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => byte);
folded[plus] = space;
folded[minus] = space;
folded[underscore] = slash;

/** Characters after a backslash in JSON, with their meanings. */
const letters: ReadonlyMap<number, string> = new Map(
  Object.entries({
    '"': '"',
    "\\": "\\",
    "/": "/",
    b: "\b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
  }).map(([letter, meaning]) => [code(letter), meaning]),
);

/** The length of an escape in bytes, and the bytes that it encodes. */
interface Escape {
  readonly length: number;
  readonly meaning: readonly number[];
}

function jsonEscape(bytes: readonly number[], at: number): Escape | undefined {
  const letter = letters.get(bytes[at + 1] ?? 0);
  if (letter !== undefined) return { length: 2, meaning: [code(letter)] };
  const unit = bytes[at + 1] === lowerU ? hexAt(bytes, at + 2, 4) : undefined;
  return unit === undefined ? undefined : { length: 6, meaning: encoded(unit) };
}

function urlEscape(bytes: readonly number[], at: number): Escape | undefined {
  const byte = hexAt(bytes, at + 1, 2);
  return byte === undefined ? undefined : { length: 3, meaning: [byte] };
}

function unescaped(
  { bytes, starts, ends }: TextBytes,
  sign: number,
  escapeAt: (bytes: readonly number[], at: number) => Escape | undefined,
): TextBytes | undefined {
  if (!bytes.includes(sign)) return undefined;
  const found = new Bytes();
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    const { length, meaning } = (byte === sign ? escapeAt(bytes, at) : undefined) ?? {
      length: 1,
      meaning: [byte],
    };
    found.push(meaning, starts[at] ?? 0, ends[at + length - 1] ?? 0);
    at += length;
  }
  return found.bytes.length < bytes.length ? found : undefined;
}

class Bytes implements TextBytes {
  readonly bytes: number[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  push(bytes: readonly number[], start: number, end: number): void {
    for (const byte of bytes) {
      this.bytes.push(folded[byte] ?? byte);
      this.starts.push(start);
      this.ends.push(end);
    }
  }
}

function encoded(unit: number): readonly number[] {
  if (unit < 0x80) return [unit];
  if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)];
  return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
}

function hexAt(bytes: readonly number[], at: number, digits: number): number | undefined {
  const text = String.fromCharCode(...bytes.slice(at, at + digits));
  return text.length === digits && /^[\da-f]+$/i.test(text) ? Number.parseInt(text, 16) : undefined;
}
