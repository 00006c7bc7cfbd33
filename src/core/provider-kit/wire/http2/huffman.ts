import { http2ConnectionError, type Http2ConnectionError } from "./http2-frame";

/**
 * The symbols of HPACK's Huffman code by the length of their codes. The code is canonical: the codes of one length
 * follow each other in the order of their symbols.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7541#appendix-B}
 */
const symbolsByLength: readonly (readonly [bits: number, symbols: string | readonly number[]])[] = [
  [5, "012aceiost"],
  [6, " %-./3456789=A_bdfghlmnpru"],
  [7, ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz"],
  [8, "&*,;XZ"],
  [10, '!"()?'],
  [11, "'+|"],
  [12, "#>"],
  [13, "\0$@[]~"],
  [14, "^}"],
  [15, "<`{"],
  [19, [92, 195, 208]],
  [20, [128, 130, 131, 162, 184, 194, 224, 226]],
  [21, [153, 161, 167, 172, 176, 177, 179, 209, 216, 217, 227, 229, 230]],
  [
    22,
    [
      129, 132, 133, 134, 136, 146, 154, 156, 160, 163, 164, 169, 170, 173, 178, 181, 185, 186, 187,
      189, 190, 196, 198, 228, 232, 233,
    ],
  ],
  [
    23,
    [
      1, 135, 137, 138, 139, 140, 141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168,
      174, 175, 180, 182, 183, 188, 191, 197, 231, 239,
    ],
  ],
  [24, [9, 142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237]],
  [25, [199, 207, 234, 235]],
  [26, [192, 193, 200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255]],
  [
    27,
    [203, 204, 211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254],
  ],
  [
    28,
    [
      2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30,
      31, 127, 220, 249,
    ],
  ],
  [30, [10, 13, 22, 256]],
];

const longest = 30;
const endOfString = 256;

interface Code {
  /** For eight bits that begin with a code: its symbol times 32, plus its length; 0 if the code is longer. */
  readonly short: Uint16Array;
  readonly first: Int32Array;
  readonly symbols: readonly (readonly number[])[];
}

let made: Code | undefined;

/** Created when a client first sends a string with this code. */
function code(): Code {
  if (made !== undefined) return made;
  const short = new Uint16Array(256);
  const first = new Int32Array(longest + 1);
  const symbols: number[][] = Array.from({ length: longest + 1 }, () => []);
  for (const [bits, each] of symbolsByLength) {
    symbols[bits] = typeof each === "string" ? [...Buffer.from(each, "latin1")] : [...each];
  }
  for (let bits = 1; bits <= longest; bits += 1) {
    const from = ((first[bits - 1] ?? 0) + (symbols[bits - 1]?.length ?? 0)) << 1;
    first[bits] = from;
    if (bits > 8) continue;
    symbols[bits]?.forEach((symbol, index) => {
      const free = 8 - bits;
      short.fill(symbol * 32 + bits, (from + index) << free, (from + index + 1) << free);
    });
  }
  return (made = { short, first, symbols });
}

/**
 * Decodes a string of HPACK.
 *
 * @throws Http2ConnectionError COMPRESSION_ERROR when the padding is wrong
 */
export function decodeHuffman(buffer: Buffer, start: number, end: number): string {
  const { short } = code();
  const decoded = Buffer.allocUnsafe(Math.ceil(((end - start) * 8) / 5));
  let length = 0;
  let at = start * 8;
  const stop = end * 8;
  while (at < stop) {
    const byte = at >>> 3;
    const next = byte + 1 < end ? (buffer[byte + 1] ?? 0) : 0xff;
    const eight = ((((buffer[byte] ?? 0) << 8) | next) >>> (8 - (at & 7))) & 0xff;
    // The end is padded with the first bits of a longer code.
    const symbol = (short[eight] ?? 0) || longSymbol(buffer, at, stop);
    if (symbol === 0) break;
    at += symbol & 0x1f;
    if (at > stop) throw malformed();
    decoded[length] = symbol >>> 5;
    length += 1;
  }
  return decoded.toString("latin1", 0, length);
}

/** @returns a symbol times 32, plus the length of its code; 0 at the end of the string */
function longSymbol(buffer: Buffer, from: number, stop: number): number {
  const { first, symbols } = code();
  let value = 0;
  for (let bits = 1; bits <= longest && from + bits <= stop; bits += 1) {
    const at = from + bits - 1;
    value = (value << 1) | (((buffer[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1);
    const symbol = symbols[bits]?.[value - (first[bits] ?? 0)];
    if (symbol === endOfString) throw malformed();
    if (symbol !== undefined) return symbol * 32 + bits;
  }
  const bits = stop - from;
  if (bits > 7 || value !== (1 << bits) - 1) throw malformed();
  return 0;
}

const malformed = (): Http2ConnectionError =>
  http2ConnectionError("COMPRESSION_ERROR", "a string of a header is malformed");
