import { FormatError } from "../sigstore/payload/format-error";
import { KeyError } from "../sigstore/key/key-error";
import type { LogEntryKind } from "../sigstore/format/log-entry";
import { checkRekorV2Key } from "../sigstore/format/rekor-v2-entry";
import type { RunSigner } from "./run-signer";

/**
 * Checks that the log can verify the signatures of our key, before anything is sent anywhere.
 *
 * @throws KeyError
 */
export function checkLoggable({ publicKey, expected }: RunSigner, kind: LogEntryKind): void {
  if (!("key" in expected)) return;
  const problem = problemOf(publicKey.asymmetricKeyType, expected.key.hash, kind);
  const rekorV2Problem = kind === "hashedrekord/0.0.2" ? rekorV2ProblemOf(publicKey) : undefined;
  const found = problem ?? rekorV2Problem;
  if (found !== undefined) throw new KeyError("KEY", found);
}

const fix = "Use an ECDSA P-256 key, or set transparency_log to false";

function problemOf(
  type: string | undefined,
  hash: string | undefined,
  kind: LogEntryKind,
): string | undefined {
  // The log receives only a hash of the payload, but Ed25519 signs the payload itself.
  if (type === "ed25519" && kind === "hashedrekord/0.0.1") {
    return `the transparency log cannot verify signatures of Ed25519 keys in the format legacy. ${fix}`;
  }
  if (type !== "ed25519" && hash !== "sha256") {
    return `the key signs with ${String(hash)}, but only signatures with sha256 can be logged. ${fix}`;
  }
  return undefined;
}

function rekorV2ProblemOf(publicKey: RunSigner["publicKey"]): string | undefined {
  try {
    checkRekorV2Key(publicKey);
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return `the key cannot be used: ${error.message}. ${fix}`;
    throw error;
  }
}
