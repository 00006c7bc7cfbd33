import { createHash } from "node:crypto";

/** A proof that a log's tree contains an entry. */
interface InclusionProps {
  /** The entry as stored in the log. */
  readonly body: Uint8Array;
  readonly index: number;
  readonly treeSize: number;
  readonly hashes: readonly Buffer[];
}

/**
 * Computes the root of the tree that contains the body at the index.
 *
 * @returns undefined if the number of hashes is wrong or the index is not in the tree
 * @see https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2
 */
export function rootFrom({ body, index, treeSize, hashes }: InclusionProps): Buffer | undefined {
  let node = BigInt(index);
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

/** The hash of an entry in the tree. */
function leafHash(body: Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.of(0)).update(body).digest();
}

/** The hash of an inner node of the tree. */
function parentHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();
}
