import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { ifAbsent } from "../../../core/process/system-error";

/**
 * An append-only Merkle tree (RFC 6962) in memory. It stores the hash of every complete subtree: adding a leaf and
 * proving it take logarithmic time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6962#section-2.1
 */
export class MerkleTree {
  // levels[k][i] is the hash of the leaves from i·2^k to (i+1)·2^k.
  readonly #levels: Buffer[][] = [[]];

  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  /** Adds a leaf by its hash (see `leafHash`) and returns its index. */
  append(hash: Buffer): number {
    let node = hash;
    for (let level = 0; ; level += 1) {
      const row = (this.#levels[level] ??= []);
      row.push(node);
      const left = row.at(-2);
      if (row.length % 2 === 1 || left === undefined) return this.size - 1;
      node = nodeHash(left, node);
    }
  }

  /** The hash of the complete subtree of 2^level leaves at an index; undefined if it is not complete. */
  node(level: number, index: number): Buffer | undefined {
    return this.#levels[level]?.[index];
  }

  /** The root of the first leaves; without leaves, the hash of an empty string. */
  root(size = this.size): Buffer {
    this.#checkSize(size);
    return size === 0 ? createHash("sha256").digest() : this.#subtree(0, size);
  }

  /** The inclusion proof of a leaf in the tree of the first `size` leaves. */
  inclusionProof(index: number, size = this.size): readonly Buffer[] {
    this.#checkSize(size);
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
    }
    return this.#path(index, 0, size);
  }

  /** The consistency proof between two sizes of the tree. */
  consistencyProof(first: number, size = this.size): readonly Buffer[] {
    this.#checkSize(size);
    if (!Number.isInteger(first) || first < 1 || first > size) {
      throw new RangeError(`a tree of ${size} leaves does not begin with ${first}`);
    }
    return this.#consistency(first, 0, size, true);
  }

  #path(index: number, start: number, end: number): readonly Buffer[] {
    if (end - start === 1) return [];
    const middle = start + split(end - start);
    return index < middle
      ? [...this.#path(index, start, middle), this.#subtree(middle, end)]
      : [...this.#path(index, middle, end), this.#subtree(start, middle)];
  }

  #consistency(first: number, start: number, end: number, isKnown: boolean): readonly Buffer[] {
    if (first === end) return isKnown ? [] : [this.#subtree(start, end)];
    const middle = start + split(end - start);
    return first <= middle
      ? [...this.#consistency(first, start, middle, isKnown), this.#subtree(middle, end)]
      : [...this.#consistency(first, middle, end, false), this.#subtree(start, middle)];
  }

  #subtree(start: number, end: number): Buffer {
    const size = end - start;
    if (Number.isInteger(Math.log2(size))) {
      const kept = this.#levels[Math.log2(size)]?.[start / size];
      if (kept !== undefined) return kept;
    }
    const middle = start + split(size);
    return nodeHash(this.#subtree(start, middle), this.#subtree(middle, end));
  }

  #checkSize(size: number): void {
    if (!Number.isInteger(size) || size < 0 || size > this.size) {
      throw new RangeError(`the tree has ${this.size} leaves, not ${size}`);
    }
  }
}

export function leafHash(leaf: Uint8Array): Buffer {
  return createHash("sha256").update(Buffer.of(0)).update(leaf).digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();
}

/** The largest power of two below a size of at least two. */
function split(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/**
 * A file with one line for each entry of a log. Opening it drops an incomplete last line, which a crash can leave: its
 * entry was never confirmed.
 */
export class Journal {
  #last: Promise<void> = Promise.resolve();
  readonly #file: string;

  private constructor(
    file: string,
    /** The lines that the file had when it was opened. */
    readonly lines: readonly string[],
  ) {
    this.#file = file;
  }

  static async open(file: string): Promise<Journal> {
    await mkdir(dirname(file), { recursive: true });
    const bytes = (await readFile(file).catch(ifAbsent)) ?? Buffer.alloc(0);
    const end = bytes.lastIndexOf("\n") + 1;
    if (end < bytes.byteLength) await truncate(file, end);
    const lines = bytes.subarray(0, end).toString("utf8").split("\n");
    return new Journal(
      file,
      lines.filter((line) => line !== ""),
    );
  }

  /** Appends a line after all pending ones; resolves when it is written. */
  append(line: string): Promise<void> {
    const written = this.#last.then(() => appendFile(this.#file, `${line}\n`));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
