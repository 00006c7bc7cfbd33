import { isUtf8 } from "node:buffer";

// Below these lengths, a loop is faster than a call into native code.
const shortRead = 24;
const shortWrite = 48;

/** Decodes UTF-8; `undefined` when the bytes are not valid UTF-8. */
export function readUtf8(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start <= shortRead) {
    const value = readShortAscii(bytes, start, end);
    if (value !== undefined) return value;
  }
  const value = bytes.toString("utf8", start, end);
  // Reached only for invalid input and for genuine replacement characters, which are rare.
  if (value.includes("\ufffd") && !isUtf8(bytes.subarray(start, end))) return undefined;
  return value;
}

/** Reads names and other short strings, which are nearly always ASCII. */
function readShortAscii(bytes: Buffer, start: number, end: number): string | undefined {
  let value = "";
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0x80;
    if (byte >= 0x80) return undefined;
    value += String.fromCharCode(byte);
  }
  return value;
}

/**
 * Writes a short ASCII string into a buffer that has room for its length.
 *
 * @returns `false` when the string is long or not ASCII; the bytes at `start` are then undefined
 */
export function writeShortAscii(bytes: Buffer, start: number, value: string): boolean {
  const size = value.length;
  if (size > shortWrite) return false;
  for (let index = 0; index < size; index += 1) {
    const code = value.charCodeAt(index);
    if (code >= 0x80) return false;
    bytes[start + index] = code;
  }
  return true;
}

/** Copies bytes into a buffer that has room for them. */
export function copyBytes(source: Uint8Array, target: Buffer, start: number): void {
  const size = source.length;
  if (size > shortWrite) target.set(source, start);
  else for (let index = 0; index < size; index += 1) target[start + index] = source[index] ?? 0;
}

/** Returns a Buffer that shares the memory of the bytes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
