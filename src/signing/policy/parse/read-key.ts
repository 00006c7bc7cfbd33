import { createHash } from "node:crypto";
import { readPublicKey, PublicKeyError } from "../../sigstore/certificate/public-key";
import type { SignerHash } from "../../sigstore/verification/verification";
import type { PolicySigner } from "../policy";
import type { PolicyFields } from "./policy-fields";

export const keyFields = ["data", "kms", "secretRef", "hashAlgorithm"] as const;

const hashes = ["sha256", "sha224", "sha384", "sha512"] as const satisfies readonly SignerHash[];

/** A key whose owner must have signed. */
export function readKeySigner(fields: PolicyFields): PolicySigner | undefined {
  const pem = readInlinePem(fields);
  const hash = fields.oneOf("hashAlgorithm", hashes);
  if (pem === undefined) return undefined;
  try {
    const publicKey = readPublicKey(pem);
    const der = publicKey.export({ type: "spki", format: "der" });
    const keyId = createHash("sha256").update(der).digest("hex");
    return { kind: "key", key: { publicKey, hash }, keyId };
  } catch (error) {
    if (!(error instanceof PublicKeyError)) throw error;
    fields.refuse("data", error.message);
    return undefined;
  }
}

/** The PEM in `data`; other places for a key are refused. */
export function readInlinePem(fields: PolicyFields): string | undefined {
  const elsewhere = "is not supported: put the PEM text into data";
  fields.refuseIfGiven("kms", elsewhere);
  fields.refuseIfGiven("secretRef", elsewhere);
  if (fields.has("kms") || fields.has("secretRef")) return undefined;
  const pem = fields.requiredText("data");
  if (pem === undefined) return undefined;
  if (!pem.includes("PRIVATE KEY")) return pem;
  fields.refuse("data", "holds a private key: keep it out of policies, and name its public key");
  return undefined;
}
