import { createHash } from "node:crypto";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { Journal, leafHash, MerkleTree } from "../../../../src/local/signing/merkle/merkle-tree";

const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash("sha256").update(Buffer.concat(parts)).digest();

/** RFC 6962, 2.1, word for word. */
function naiveRoot(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), first);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha256(Buffer.of(1), naiveRoot(leaves.slice(0, half)), naiveRoot(leaves.slice(half)));
}

/** RFC 9162, 2.1.3.2: what a verifier does with an inclusion proof. */
function rootFromProof(index: number, size: number, leaf: Buffer, path: readonly Buffer[]): Buffer {
  let [position, last] = [index, size - 1];
  let root = sha256(Buffer.of(0), leaf);
  for (const node of path) {
    if (position % 2 === 1 || position === last) {
      root = sha256(Buffer.of(1), node, root);
      while (position % 2 === 0 && position !== 0) [position, last] = [position >> 1, last >> 1];
    } else {
      root = sha256(Buffer.of(1), root, node);
    }
    [position, last] = [position >> 1, last >> 1];
  }
  if (last !== 0) throw new Error("the proof has a wrong length");
  return root;
}

/** RFC 9162, 2.1.4.2: the older and the newer root that a consistency proof gives. */
function rootsFromConsistency(
  first: number,
  second: number,
  older: Buffer,
  path: readonly Buffer[],
) {
  const isPower = Number.isInteger(Math.log2(first));
  const [start = Buffer.alloc(0), ...rest] = isPower ? [older, ...path] : path;
  let [position, last] = [first - 1, second - 1];
  while (position % 2 === 1) [position, last] = [position >> 1, last >> 1];
  let [one, two] = [start, start];
  for (const node of rest) {
    if (position % 2 === 1 || position === last) {
      one = sha256(Buffer.of(1), node, one);
      two = sha256(Buffer.of(1), node, two);
      while (position % 2 === 0 && position !== 0) [position, last] = [position >> 1, last >> 1];
    } else {
      two = sha256(Buffer.of(1), two, node);
    }
    [position, last] = [position >> 1, last >> 1];
  }
  return { one, two };
}

const leavesOf = (size: number) => Array.from({ length: size }, (_, i) => Buffer.from(`leaf ${i}`));

function treeOf(leaves: readonly Buffer[]): MerkleTree {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.append(leafHash(leaf));
  return tree;
}

it("has the root of the naive definition at every size, past ones included", () => {
  const leaves = leavesOf(70);
  const tree = treeOf(leaves);
  for (let size = 0; size <= 70; size += 1) {
    expect(tree.root(size).equals(naiveRoot(leaves.slice(0, size)))).toBe(true);
  }
});

it("proves every leaf in every tree", () => {
  const leaves = leavesOf(300);
  const tree = treeOf(leaves);
  const sizes = fc.integer({ min: 1, max: 300 });
  fc.assert(
    fc.property(sizes, fc.nat(), (size, seed) => {
      const index = seed % size;
      const leaf = leaves[index] ?? Buffer.alloc(0);
      const root = rootFromProof(index, size, leaf, tree.inclusionProof(index, size));
      expect(root.equals(tree.root(size))).toBe(true);
    }),
  );
});

it("proves that a smaller tree is the beginning of a larger one", () => {
  const tree = treeOf(leavesOf(300));
  const sizes = fc.integer({ min: 1, max: 300 });
  fc.assert(
    fc.property(sizes, sizes, (a, b) => {
      const [first, second] = [Math.min(a, b), Math.max(a, b)];
      if (first === second) return;
      const proof = tree.consistencyProof(first, second);
      const { one, two } = rootsFromConsistency(first, second, tree.root(first), proof);
      expect(one.equals(tree.root(first)) && two.equals(tree.root(second))).toBe(true);
    }),
  );
});

it("refuses leaves and sizes that it does not have", () => {
  const tree = treeOf(leavesOf(3));
  expect(() => tree.inclusionProof(3)).toThrow(RangeError);
  expect(() => tree.root(4)).toThrow(RangeError);
  expect(() => tree.consistencyProof(0)).toThrow(RangeError);
});

it("drops a record that a kill truncated at the end of the journal, and continues after the rest", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trivet-journal-"));
  const file = join(folder, "logs", "journal");
  const journal = await Journal.open(file);
  expect(journal.lines).toEqual([]);
  await Promise.all([journal.append("one"), journal.append("two")]);
  await appendFile(file, "thr");
  const again = await Journal.open(file);
  expect(again.lines).toEqual(["one", "two"]);
  await again.append("three");
  expect((await Journal.open(file)).lines).toEqual(["one", "two", "three"]);
  await rm(folder, { recursive: true });
});
