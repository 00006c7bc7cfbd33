import { createHash } from "node:crypto";
import type { Digest } from "../../oci/reference/digest";

/** The digest of bytes. */
export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${sha256Hex(bytes)}`;
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
