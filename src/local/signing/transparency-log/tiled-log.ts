import type { NoteKey } from "../keys/signing-key";
import type { Journal } from "../merkle/journal";
import { leafHash, MerkleTree } from "../merkle/merkle-tree";

/** The number of hashes in a full tile, and of entries in a full bundle. */
const tileWidth = 256;

/**
 * The transparency log of version 2: a tree of entries, which is read as tiles.
 *
 * @see https://github.com/C2SP/C2SP/blob/main/tlog-tiles.md
 */
export class TiledLog {
  readonly #tree = new MerkleTree();
  readonly #bodies: Buffer[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #journal: Journal;

  constructor(
    readonly key: NoteKey,
    journal: Journal,
  ) {
    this.#journal = journal;
    for (const line of journal.lines) this.#keep(Buffer.from(line, "base64"));
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Adds an entry; resolves when it is written. An equal entry is not added again. */
  async add(body: Buffer): Promise<{ readonly index: number; readonly isNew: boolean }> {
    const known = this.#indexes.get(leafHash(body).toString("hex"));
    if (known !== undefined) return { index: known, isNew: false };
    const index = this.#keep(body);
    await this.#journal.append(body.toString("base64"));
    return { index, isNew: true };
  }

  /** An entry with its proof, as a `TransparencyLogEntry`. */
  entry(index: number): unknown {
    const logIndex = String(index);
    return {
      logIndex,
      logId: { keyId: this.key.id.toString("base64") },
      kindVersion: { kind: "hashedrekord", version: "0.0.2" },
      integratedTime: "0",
      inclusionPromise: null,
      inclusionProof: {
        logIndex,
        rootHash: this.#tree.root().toString("base64"),
        treeSize: String(this.#tree.size),
        hashes: this.#tree.inclusionProof(index).map((hash) => hash.toString("base64")),
        checkpoint: { envelope: this.checkpoint() },
      },
      canonicalizedBody: this.#bodies[index]?.toString("base64"),
    };
  }

  /** The size and the root of the tree, signed. */
  checkpoint(): string {
    const { size } = this.#tree;
    return this.key.sign(`${this.key.origin}\n${size}\n${this.#tree.root().toString("base64")}\n`);
  }

  /** The hashes of a tile; undefined if the tree does not have that many. */
  tile(level: number, index: number, width = tileWidth): Buffer | undefined {
    const first = index * tileWidth;
    const nodes = Array.from({ length: width }, (_, at) => this.#tree.node(8 * level, first + at));
    const known = nodes.filter((node) => node !== undefined);
    return known.length === width ? Buffer.concat(known) : undefined;
  }

  /** The entries of a bundle, each after its length; undefined if there are not that many. */
  entries(index: number, width = tileWidth): Buffer | undefined {
    const bodies = this.#bodies.slice(index * tileWidth, index * tileWidth + width);
    if (bodies.length < width) return undefined;
    const parts = bodies.flatMap((body) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(body.byteLength);
      return [length, body];
    });
    return Buffer.concat(parts);
  }

  #keep(body: Buffer): number {
    const hash = leafHash(body);
    const index = this.#tree.append(hash);
    this.#bodies.push(body);
    this.#indexes.set(hash.toString("hex"), index);
    return index;
  }
}
