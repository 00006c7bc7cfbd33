import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { verifyDigest } from "../../../../src/local/signing/transparency-log/verify-digest";

const data = Buffer.from("signed");
const digest = createHash("sha256").update(data).digest();
const other = createHash("sha256").update("other").digest();

test.each([
  ["P-256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
  ["P-384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
  ["P-521", generateKeyPairSync("ec", { namedCurve: "P-521" })],
  ["RSA", generateKeyPairSync("rsa", { modulusLength: 2048 })],
])("a signature with %s is verified by the digest of the data", (_, { privateKey, publicKey }) => {
  // Signatures with ECDSA differ each time.
  for (let tries = 0; tries < 5; tries++) {
    const signature = sign("sha256", data, privateKey);
    expect(verifyDigest(digest, signature, publicKey)).toBe(true);
    expect(verifyDigest(other, signature, publicKey)).toBe(false);
  }
});

test("a signature with another curve is not", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  expect(verifyDigest(digest, sign("sha256", data, privateKey), publicKey)).toBe(false);
});
