import { ECDH, generateKeyPairSync } from "node:crypto";
import {
  certificateKey,
  readKey,
} from "../../../../../src/core/signing/sigstore/certificate/public-key";
import {
  derBitString,
  derObjectIdentifier,
  derSequence,
} from "../../../../../src/core/signing/sigstore/der/write-der";

const newKey = (): Buffer =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
    format: "der",
    type: "spki",
  });

test("each certificate has its own key, however many are read", () => {
  const keys = Array.from({ length: 100 }, newKey);
  for (const der of [...keys, ...keys.toReversed()]) {
    expect(certificateKey(der).export({ format: "der", type: "spki" })).toEqual(der);
  }
});

test("an invalid key is refused each time, also after a valid one", () => {
  const key = newKey();
  certificateKey(key);
  const broken = Buffer.from(key);
  // A point that is not on the curve.
  broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
  for (let time = 0; time < 2; time++) {
    expect(() => certificateKey(broken)).toThrow("is not a valid public key");
  }
  expect(certificateKey(key).export({ format: "der", type: "spki" })).toEqual(key);
});

test.each([
  ["RSA with 2048 bits", generateKeyPairSync("rsa", { modulusLength: 2048 })],
  ["RSA with 4096 bits", generateKeyPairSync("rsa", { modulusLength: 4096 })],
  ["P-256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
  ["P-384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
  ["P-521", generateKeyPairSync("ec", { namedCurve: "P-521" })],
  ["Ed25519", generateKeyPairSync("ed25519")],
])("%s is supported", (_, { publicKey }) => {
  const der = publicKey.export({ format: "der", type: "spki" });
  expect(certificateKey(der).equals(publicKey)).toBe(true);
  expect(readKey(der, "spki").equals(publicKey)).toBe(true);
});

test.each([
  ["RSA with 1024 bits", generateKeyPairSync("rsa", { modulusLength: 1024 })],
  ["RSA with 2047 bits", generateKeyPairSync("rsa", { modulusLength: 2047 })],
  ["P-224", generateKeyPairSync("ec", { namedCurve: "secp224r1" })],
  ["secp256k1", generateKeyPairSync("ec", { namedCurve: "secp256k1" })],
  ["Ed448", generateKeyPairSync("ed448")],
  ["X25519", generateKeyPairSync("x25519")],
  ["DSA", generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 })],
])("%s is not supported", (_, { publicKey }) => {
  const der = publicKey.export({ format: "der", type: "spki" });
  expect(() => certificateKey(der)).toThrow("the certificate's public key is not supported");
  expect(() => readKey(der, "spki")).toThrow("is not supported (supported: ECDSA with P-256");
});

test.each(["compressed", "hybrid"] as const)("a point in %s form is refused", (form) => {
  const point = newKey().subarray(26);
  const spki = (encoded: Buffer): Buffer =>
    derSequence(
      derSequence(
        derObjectIdentifier("1.2.840.10045.2.1"),
        derObjectIdentifier("1.2.840.10045.3.1.7"),
      ),
      derBitString(encoded),
    );
  const other = ECDH.convertKey(point, "prime256v1", undefined, undefined, form);
  expect(certificateKey(spki(point))).toBeDefined();
  expect(() => certificateKey(spki(Buffer.from(other)))).toThrow("non-canonical encoding");
  expect(() => readKey(spki(Buffer.from(other)), "spki")).toThrow("non-canonical encoding");
});
