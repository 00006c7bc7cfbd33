import { generateKeyPairSync } from "node:crypto";
import { certificateKey } from "../../../../src/signing/sigstore/certificate/certificate-key";

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
    expect(() => certificateKey(broken)).toThrow("is not supported");
  }
  expect(certificateKey(key).export({ format: "der", type: "spki" })).toEqual(key);
});
