import { failures } from "../../../failure/failure";
import type { FileHandle } from "node:fs/promises";
import { readPart } from "./layout-files";

export interface TarEntry {
  readonly offset: number;
  readonly size: number;
}

const blockBytes = 512;
const maxEntries = 500_000;
const maxHeaderBytes = 65_536;

/** Padding after content, up to a whole block. */
const paddingOf = (size: number): number => -size & (blockBytes - 1);

/** An archive that cannot be read; the message is a predicate, such as "is compressed". */
export const [tarError, isTarError] = failures<"TAR">("TarError");

/**
 * Finds the regular files in a tar archive. Of several with the same name, the last one counts.
 *
 * @param check throws once the call has ended: an archive can have very many headers
 * @throws TarError
 * @see https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13
 */
export async function tarEntries(
  file: FileHandle,
  size: number,
  check: () => void,
): Promise<Map<string, TarEntry>> {
  const found = new Map<string, TarEntry>();
  let longName: string | undefined;
  let longSize: number | undefined;
  let number = 0;
  for (let at = 0; at + blockBytes <= size;) {
    const header = await readPart(file, at, blockBytes);
    if (header.every((byte) => byte === 0)) break;
    if (++number > maxEntries) throw tarError("TAR", `has more than ${maxEntries} files`);
    check();
    checkHeader(header, at);
    const type = String.fromCharCode(header[156] ?? 0);
    const isExtended = type === "x" || type === "L";
    const ownSize = numberAt(header, 124, 12);
    if (ownSize === undefined) throw malformed("number");
    const entry = { offset: at + blockBytes, size: isExtended ? ownSize : (longSize ?? ownSize) };
    // Never smaller than the header's own end, so the position grows.
    const end = entry.offset + entry.size;
    if (!Number.isSafeInteger(end) || end > size)
      throw tarError("TAR", "ends in the middle of a file");
    at = end + paddingOf(entry.size);
    if (isExtended) {
      if (entry.size > maxHeaderBytes) throw tarError("TAR", "has a header that is too large");
      const bytes = await readPart(file, entry.offset, entry.size);
      if (type === "L") longName = textAt(bytes, 0, bytes.byteLength);
      else ({ path: longName = longName, size: longSize = longSize } = paxRecords(bytes));
      continue;
    }
    const isFile = type === "0" || type === "\0";
    if (isFile) found.set((longName ?? nameIn(header)).replace(/^(?:\.\/)+/, ""), entry);
    longName = longSize = undefined;
  }
  return found;
}

/** The header of a regular file, with the extended header that long names and large files need. */
export function tarHeader(name: string, size: number): Buffer {
  const isShort = Buffer.byteLength(name) <= 100 && size <= 0o7777_7777_777;
  if (isShort) return ustarHeader(name, size, "0");
  const records = [paxRecord("path", name), paxRecord("size", String(size))].join("");
  const extended = Buffer.from(records);
  return Buffer.concat([
    ustarHeader("pax", extended.byteLength, "x"),
    extended,
    Buffer.alloc(paddingOf(extended.byteLength)),
    ustarHeader(name.slice(-100), 0, "0", size),
  ]);
}

/** What follows the content of a file. */
export const tarPadding = (size: number): Buffer => Buffer.alloc(paddingOf(size));

/** What follows the last file. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

function ustarHeader(name: string, size: number, type: string, largeSize?: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
  header.write(name, 0, 100);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(largeSize === undefined ? size : 0, 124, 12);
  octal(0, 136, 12);
  header.write(type, 156, "latin1");
  header.write("ustar\0" + "00", 257, "latin1");
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** A record with its own length in front. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) !== length) length++;
  return `${length}${rest}`;
}

const malformed = (what: string) => tarError("TAR", `has a header with a malformed ${what}`);

function paxRecords(bytes: Buffer): { readonly path?: string; readonly size?: number } {
  const found: { path?: string; size?: number } = {};
  for (let at = 0; at < bytes.byteLength;) {
    const space = bytes.indexOf(" ", at);
    const length = decimal(bytes.toString("latin1", at, space));
    const end = at + length;
    // A record ends with a line break, and has its own length in front.
    if (space < 0 || end <= space || bytes[end - 1] !== 0x0a) throw malformed("record");
    const [, key, value = ""] =
      /^([^=]+)=(.*)$/s.exec(bytes.toString("utf8", space + 1, end - 1)) ?? [];
    if (key === "path") found.path = value;
    if (key === "size") found.size = decimal(value);
    at = end;
  }
  return found;
}

function decimal(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw malformed("number");
  return Number(text);
}

function checkHeader(header: Buffer, at: number): void {
  if (at === 0 && header[0] === 0x1f && header[1] === 0x8b) {
    throw tarError("TAR", "is compressed: decompress it first, for example with gunzip");
  }
  const claimed = numberAt(header, 148, 8);
  const sum = header.reduce(
    (total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte),
    0,
  );
  if (claimed !== sum) throw tarError("TAR", "is not a tar archive");
}

/** A number in octal digits or, if it is large, in binary as GNU tar writes it; undefined if it is malformed. */
function numberAt(header: Buffer, at: number, length: number): number | undefined {
  const field = header.subarray(at, at + length);
  if (((field[0] ?? 0) & 0x80) === 0) {
    const digits = /^[ \0]*([0-7]*)[ \0]*$/.exec(field.toString("latin1"))?.[1];
    return digits === undefined ? undefined : parseInt(digits || "0", 8);
  }
  return field.subarray(1).reduce((total, byte) => total * 256 + byte, (field[0] ?? 0) & 0x7f);
}

function nameIn(header: Buffer): string {
  const [name, prefix] = [textAt(header, 0, 100), textAt(header, 345, 155)];
  const isUstar = header.toString("latin1", 257, 263) === "ustar\0";
  return isUstar && prefix !== "" ? `${prefix}/${name}` : name;
}

function textAt(bytes: Buffer, at: number, length: number): string {
  const text = bytes.toString("utf8", at, at + length);
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}
