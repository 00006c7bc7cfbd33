import { createHash } from "node:crypto";

/**
 * Derives a UUID from strings (version 8 of RFC 9562). It is the same on every read, so that dependent values
 * do not change.
 */
export function derivedUuid(...strings: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(strings)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
