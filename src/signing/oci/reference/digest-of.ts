import { createHash } from "node:crypto";
import type { Digest, DigestAlgorithm } from "./digest";

/** Computes the digest of bytes. */
export function digestOf(bytes: Uint8Array, algorithm: DigestAlgorithm = "sha256"): Digest {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

/** Computes the SHA-256 of bytes, in hexadecimal. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
