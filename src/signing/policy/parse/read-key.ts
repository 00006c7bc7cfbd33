import { createHash } from "node:crypto";
import { parseKmsUri } from "../../sigstore/key/key-reference";
import { readPublicKey, PublicKeyError } from "../../sigstore/certificate/public-key";
import type { SignerHash } from "../../sigstore/verification/verification";
import type { PolicySigner } from "../policy";
import type { PolicyFields } from "./policy-fields";

/** The fields of a key or certificate. */
export const keyFields = ["data", "kms", "secretRef", "hashAlgorithm"] as const;

const hashes = ["sha256", "sha224", "sha384", "sha512"] as const satisfies readonly SignerHash[];

/** Reads the key of a required signer; undefined if a problem was reported. */
export function readKeySigner(fields: PolicyFields): PolicySigner | undefined {
  const hash = fields.oneOf("hashAlgorithm", hashes);
  if (fields.has("kms")) return readKms(fields, hash);
  const pem = readInlinePem(fields);
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

/** Reads the URI of a key in a key-management service. Nothing is sent there yet. */
function readKms(fields: PolicyFields, hash: SignerHash | undefined): PolicySigner | undefined {
  const alone = "cannot be combined with kms, which names another key";
  for (const other of ["data", "secretRef"]) fields.refuseIfSet(other, alone);
  const uri = fields.string("kms");
  if (uri === undefined) return undefined;
  const parsed = parseKmsUri(uri);
  if (!("problem" in parsed)) return { kind: "kms", uri, hash };
  fields.refuse("kms", parsed.problem);
  return undefined;
}

/** Reads the PEM in `data`. The other sources of a key or certificate are not supported. */
export function readInlinePem(fields: PolicyFields): string | undefined {
  const elsewhere = "is not supported: put the PEM into data";
  fields.refuseIfSet("kms", elsewhere);
  fields.refuseIfSet("secretRef", elsewhere);
  if (fields.has("kms") || fields.has("secretRef")) return undefined;
  const pem = fields.requiredString("data");
  if (pem === undefined) return undefined;
  if (!pem.includes("PRIVATE KEY")) return pem;
  fields.refuse(
    "data",
    "contains a private key: remove it from the policy, and use the public key",
  );
  return undefined;
}
