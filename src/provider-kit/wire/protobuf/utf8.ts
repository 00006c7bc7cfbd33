import { isUtf8 } from "node:buffer";

// Below these lengths a loop beats the call into native code.
const SHORT_READ = 24;
const SHORT_WRITE = 48;

/** Reads UTF-8 text, or gives `undefined` when the bytes are not valid UTF-8. */
export function readUtf8(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start <= SHORT_READ) {
    const text = readShortAscii(bytes, start, end);
    if (text !== undefined) return text;
  }
  const text = bytes.toString("utf8", start, end);
  // Only invalid input and genuine replacement characters lead here; the second are rare.
  if (text.includes("\ufffd") && !isUtf8(bytes.subarray(start, end))) return undefined;
  return text;
}

/** Names and other short texts are nearly always ASCII. */
function readShortAscii(bytes: Buffer, start: number, end: number): string | undefined {
  let text = "";
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0x80;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

/**
 * Writes a short ASCII text at a place with enough room for its length, or gives `false` when the
 * text is neither; what is at the place is then undefined.
 */
export function writeShortAscii(bytes: Buffer, start: number, text: string): boolean {
  const size = text.length;
  if (size > SHORT_WRITE) return false;
  for (let index = 0; index < size; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) return false;
    bytes[start + index] = code;
  }
  return true;
}

/** Copies bytes to a place with enough room for them. */
export function copyBytes(source: Uint8Array, target: Buffer, start: number): void {
  const size = source.length;
  if (size > SHORT_WRITE) target.set(source, start);
  else for (let index = 0; index < size; index += 1) target[start + index] = source[index] ?? 0;
}

/** The same memory seen as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
