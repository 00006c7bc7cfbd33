import { rootFrom } from "../../../../../src/core/signing/sigstore/verification/inclusion-proof";

const body = Buffer.from("entry");
const sibling = Buffer.alloc(32, 1);

test("an index outside of the tree has no root", () => {
  expect(rootFrom({ body, index: 0, treeSize: 1, hashes: [] })).toHaveLength(32);
  expect(rootFrom({ body, index: 1, treeSize: 1, hashes: [] })).toBeUndefined();
  expect(rootFrom({ body, index: 2, treeSize: 2, hashes: [sibling] })).toBeUndefined();
});

test("a proof with too few or too many hashes has no root", () => {
  expect(rootFrom({ body, index: 1, treeSize: 2, hashes: [sibling] })).toHaveLength(32);
  expect(rootFrom({ body, index: 1, treeSize: 2, hashes: [] })).toBeUndefined();
  expect(rootFrom({ body, index: 1, treeSize: 2, hashes: [sibling, sibling] })).toBeUndefined();
});
