import { createHash } from "node:crypto";
import type { Digest } from "../../oci/reference/digest";

/** Computes the digest of bytes. */
export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${sha256Hex(bytes)}`;
}

/** Computes the SHA-256 of bytes, in hexadecimal. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
