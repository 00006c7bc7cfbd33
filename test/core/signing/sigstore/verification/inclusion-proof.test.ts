import { createHash, createPublicKey } from "node:crypto";
import {
  checkInclusion,
  leafHash,
} from "../../../../../src/core/signing/sigstore/verification/inclusion-proof";
import { RekorV2Log } from "./rekor-v2";

const body = Buffer.from("entry");
const leaf = leafHash(body);
const sibling = Buffer.alloc(32, 1);
const parent = (left: Buffer, right: Buffer): Buffer =>
  createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();

const log = new RekorV2Log();
const publicKey = createPublicKey(log.publicKeyPem);
const trusted = { id: log.id, publicKey, validity: {} };

/** Checks a proof that leads to the root, which the log has signed. */
function check(logIndex: number, treeSize: number, hashes: readonly Buffer[], rootHash: Buffer) {
  const checkpoint = log.checkpoint(treeSize, rootHash);
  return () => {
    checkInclusion(body, { logIndex, treeSize, hashes, rootHash, checkpoint }, trusted);
  };
}

test.each([
  ["the only entry", check(0, 1, [], leaf)],
  ["the last of two entries", check(1, 2, [sibling], parent(sibling, leaf))],
])("a tree contains %s", (_, run) => {
  expect(run).not.toThrow();
});

test("a checkpoint whose root is not a hash is not a signed note", () => {
  const checkpoint = log.checkpoint(1, leaf.subarray(1));
  const proof = { logIndex: 0, treeSize: 1, hashes: [], rootHash: leaf, checkpoint };
  expect(() => {
    checkInclusion(body, proof, trusted);
  }).toThrow("not a signed note");
});

test.each([
  ["an index outside of it", check(1, 1, [], leaf)],
  ["an index behind its last entry", check(2, 2, [sibling], parent(sibling, leaf))],
  ["such an index, on the other side", check(2, 2, [sibling], parent(leaf, sibling))],
  ["too few hashes", check(1, 2, [], leaf)],
  ["too many hashes", check(1, 2, [sibling, sibling], parent(sibling, parent(sibling, leaf)))],
])("a tree does not contain %s", (_, run) => {
  expect(run).toThrow("the log's inclusion proof is wrong");
});
