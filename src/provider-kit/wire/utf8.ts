import { isUtf8 } from "node:buffer";

const SHORT = 24;

/** Reads UTF-8 text, or gives `undefined` when the bytes are not valid UTF-8. */
export function readUtf8(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start <= SHORT) {
    const text = readShortAscii(bytes, start, end);
    if (text !== undefined) return text;
  }
  const text = bytes.toString("utf8", start, end);
  // Only invalid input and genuine replacement characters lead here; the second are rare.
  if (text.includes("\ufffd") && !isUtf8(bytes.subarray(start, end))) return undefined;
  return text;
}

/** Names and other short texts are nearly always ASCII; a loop beats the call into native code. */
function readShortAscii(bytes: Buffer, start: number, end: number): string | undefined {
  let text = "";
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0x80;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** The same memory seen as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
