import { createHash } from "node:crypto";
import { uint16 } from "../certificate/write-certificate";
import type { SigningKey } from "../keys/signing-key";
import { type Journal, leafHash, MerkleTree } from "../merkle/merkle-tree";

/** The certificate transparency log of the certificate authority (RFC 6962), for precertificates. */
export class CtLog {
  readonly #tree = new MerkleTree();
  readonly #indexes = new Map<string, number>();
  readonly #key: SigningKey;
  readonly #journal: Journal;
  readonly #now: () => Date;

  constructor(key: SigningKey, journal: Journal, now: () => Date) {
    this.#key = key;
    this.#journal = journal;
    this.#now = now;
    for (const line of journal.lines) this.#add(Buffer.from(line, "base64"));
  }

  /**
   * Adds the body of a certificate before it is signed, without SCTs.
   *
   * @returns the log's SCT
   */
  async submit(body: Uint8Array, issuerSpki: Uint8Array): Promise<Buffer> {
    const entry = Buffer.concat([
      timestamp(this.#now()),
      uint16(1), // precert_entry
      createHash("sha256").update(issuerSpki).digest(),
      uint24(body.byteLength),
      body,
      uint16(0), // no extensions
    ]);
    // MerkleTreeLeaf and the signed part of an SCT both begin with version 1 and type 0, each encoded as 0.
    const leaf = Buffer.concat([Buffer.of(0, 0), entry]);
    this.#add(leaf);
    await this.#journal.append(leaf.toString("base64"));
    return Buffer.concat([
      Buffer.of(0), // version 1
      this.#key.id,
      entry.subarray(0, 8),
      uint16(0),
      this.#signature(leaf),
    ]);
  }

  /** `get-sth` */
  treeHead(): unknown {
    const time = timestamp(this.#now());
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(this.#tree.size));
    const root = this.#tree.root();
    const signed = Buffer.concat([Buffer.of(0, 1), time, size, root]);
    return {
      tree_size: this.#tree.size,
      timestamp: Number(time.readBigUInt64BE()),
      sha256_root_hash: root.toString("base64"),
      tree_head_signature: this.#signature(signed).toString("base64"),
    };
  }

  /** `get-proof-by-hash`; undefined if the tree of that size has no such leaf. */
  proof(hash: Uint8Array, size: number): unknown {
    const index = this.#indexes.get(Buffer.from(hash).toString("hex"));
    if (index === undefined || index >= size || size > this.#tree.size) return undefined;
    const path = this.#tree.inclusionProof(index, size).map((node) => node.toString("base64"));
    return { leaf_index: index, audit_path: path };
  }

  #add(leaf: Buffer): void {
    const hash = leafHash(leaf);
    this.#indexes.set(hash.toString("hex"), this.#tree.append(hash));
  }

  /** DigitallySigned: SHA-256, ECDSA, and the signature with its length. */
  #signature(signed: Uint8Array): Buffer {
    const signature = this.#key.sign(signed);
    return Buffer.concat([Buffer.of(4, 3), uint16(signature.byteLength), signature]);
  }
}

function timestamp(now: Date): Buffer {
  const octets = Buffer.alloc(8);
  octets.writeBigUInt64BE(BigInt(now.getTime()));
  return octets;
}

function uint24(value: number): Buffer {
  return Buffer.of(value >> 16, (value >> 8) & 0xff, value & 0xff);
}
