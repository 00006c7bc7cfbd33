import { createHash, type KeyObject } from "node:crypto";
import { fromBase64 } from "../../../json/parse-json";
import { hashOf, keyIdOf, spkiOf, verifies } from "../certificate/public-key";
import type { InclusionProof } from "../format/log-entry";
import type { TrustedLog } from "../trust/trusted-root";
import { demand } from "./verification";

/**
 * Verifies that the tree of a log contains an entry: the proof leads to the root of its checkpoint, which the
 * log has signed.
 *
 * @param body the entry as stored in the log
 * @param keyId the ID of the log's key. @default the log's ID
 */
export function checkInclusion(
  body: Buffer,
  proof: InclusionProof,
  log: TrustedLog,
  keyId = log.id,
): void {
  const { treeSize, rootHash, checkpoint } = proof;
  const signed = readCheckpoint(checkpoint, log, keyId);
  demand(
    signed.treeSize === treeSize &&
      signed.rootHash.equals(rootHash) &&
      rootFrom(body, proof)?.equals(rootHash) === true,
    "TRANSPARENCY_LOG",
    "the log's inclusion proof is wrong",
  );
}

/** Maximum number of signatures on a checkpoint: the log's, and its witnesses'. */
const maxSignatures = 100;
/** Maximum number of signatures with the log's key hint: one for each of its keys. */
const maxOwnSignatures = 3;

/**
 * Reads a checkpoint (a signed note), and verifies this log's signature. Other signatures, such as a witness's, are ignored.
 *
 * @see https://github.com/transparency-dev/formats/tree/main/log
 * @see https://github.com/C2SP/C2SP/blob/main/signed-note.md
 */
function readCheckpoint(note: string, { publicKey }: TrustedLog, keyId: Buffer) {
  const split = note.indexOf("\n\n");
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2).split("\n");
  const [origin = "", size = "", root = "", ...others] = text.split("\n");
  const rootHash = fromBase64(root);
  const isWhole = split > 0 && lines.pop() === "" && others.length >= 1;
  demand(
    isWhole && rootHash?.byteLength === 32 && /^(?:0|[1-9]\d{0,15})$/.test(size),
    "TRANSPARENCY_LOG",
    "the log's checkpoint is not a signed note",
  );
  demand(
    lines.length <= maxSignatures,
    "TRANSPARENCY_LOG",
    `the log's checkpoint has ${lines.length} signatures, more than the maximum of ${maxSignatures}`,
  );
  const isSigned = ownSignatures(lines, origin, keyId)
    .slice(0, maxOwnSignatures)
    .some((signature) =>
      verifies(publicKey, hashOf(publicKey), Buffer.from(text, "utf8"), signature),
    );
  demand(isSigned, "TRANSPARENCY_LOG", "the log's checkpoint is not signed by the log");
  return { treeSize: Number(size), rootHash };
}

/**
 * The signatures that claim to be the log's. A line is a dash, a name, and base64 of the first four bytes of
 * the key ID and the signature.
 */
function ownSignatures(lines: readonly string[], origin: string, keyId: Buffer): readonly Buffer[] {
  return lines.flatMap((line) => {
    const [, name = "", base64 = ""] = /^\u2014 (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = fromBase64(base64);
    const isOwn =
      bytes !== undefined &&
      // The origin is signed, but the name is not.
      (origin === name || origin.startsWith(`${name} - `)) &&
      bytes.subarray(0, 4).equals(keyId.subarray(0, 4));
    return isOwn ? [bytes.subarray(4)] : [];
  });
}

/** The first line of a checkpoint: the name of the log. It is signed. */
export function originOf(note: string): string {
  return note.slice(0, Math.max(0, note.indexOf("\n")));
}

/**
 * The ID of a key that signs notes, before it is shortened to four bytes. It is the log's ID in Rekor v2.
 *
 * An Ed25519 key's ID contains the origin. An ECDSA key's is SHA-256 of the key, as in version 1 of the log.
 *
 * @returns undefined for other types of keys
 * @see https://github.com/C2SP/C2SP/blob/main/signed-note.md#signatures
 */
export function noteKeyId(origin: string, publicKey: KeyObject): Buffer | undefined {
  if (publicKey.asymmetricKeyType === "ec") return keyIdOf(publicKey);
  if (publicKey.asymmetricKeyType !== "ed25519") return undefined;
  const ed25519 = Buffer.of(1);
  // The last 32 bytes of a SubjectPublicKeyInfo are the key itself.
  const parts = [Buffer.from(`${origin}\n`, "utf8"), ed25519, spkiOf(publicKey).subarray(-32)];
  return createHash("sha256").update(Buffer.concat(parts)).digest();
}

/**
 * Computes the root of the tree that contains the body at the proof's index.
 *
 * @returns undefined if the number of hashes is wrong or the index is not in the tree
 * @see https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2
 */
function rootFrom(
  body: Buffer,
  { logIndex, treeSize, hashes }: InclusionProof,
): Buffer | undefined {
  let node = BigInt(logIndex);
  let last = BigInt(treeSize) - 1n;
  if (node > last) return undefined;
  let hash = leafHash(body);
  for (const sibling of hashes) {
    if (last === 0n) return undefined;
    if ((node & 1n) === 1n || node === last) {
      hash = parentHash(sibling, hash);
      // On the right edge, levels without a sibling are skipped.
      while ((node & 1n) === 0n && node !== 0n) {
        node >>= 1n;
        last >>= 1n;
      }
    } else {
      hash = parentHash(hash, sibling);
    }
    node >>= 1n;
    last >>= 1n;
  }
  return last === 0n ? hash : undefined;
}

export function leafHash(body: Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.of(0)).update(body).digest();
}

function parentHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();
}
