import { createHash } from "node:crypto";

/**
 * A UUID that is made from texts (version 8 of RFC 9562): the same at every read, so that nothing which
 * depends on it changes.
 */
export function derivedUuid(...texts: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(texts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
