import { createHash, type KeyObject } from "node:crypto";
import { Certificate } from "../certificate/certificate";
import { DerError } from "../der/der-error";
import { usageOf } from "../certificate/usage";
import { PublicKeyError, publicKeysOf } from "../certificate/public-key";
import { TrustError } from "./trust-error";
import type { CertificateAuthority, TrustMaterial, TrustedLog } from "./trust-material";

/** The environment variables with paths of trusted PEM files. Other tools use the same variables. */
const trustVariables = {
  certificateAuthorities: "SIGSTORE_ROOT_FILE",
  transparencyLogs: "SIGSTORE_REKOR_PUBLIC_KEY",
  certificateLogs: "SIGSTORE_CT_LOG_PUBLIC_KEY_FILE",
  timestampAuthorities: "SIGSTORE_TSA_CERTIFICATE_FILE",
} as const satisfies Record<keyof TrustMaterial, string>;

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a small file as a string. */
type ReadText = (path: string) => Promise<string>;

/**
 * Reads the files in the environment variables. A kind without a variable is missing from the result.
 *
 * @throws TrustError
 */
export async function trustFromEnvironment(
  environment: Environment,
  readText: ReadText,
): Promise<Partial<TrustMaterial>> {
  const read = async <T>(
    kind: keyof TrustMaterial,
    parse: (pem: string) => T,
  ): Promise<Readonly<Record<string, T>>> => {
    const variable = trustVariables[kind];
    const path = environment[variable] ?? "";
    return path === "" ? {} : { [kind]: parsePem(variable, await readText(path), parse) };
  };
  return {
    ...(await read("certificateAuthorities", authoritiesOf)),
    ...(await read("transparencyLogs", logsOf)),
    ...(await read("certificateLogs", logsOf)),
    ...(await read("timestampAuthorities", authoritiesOf)),
  };
}

function parsePem<T>(variable: string, pem: string, parse: (pem: string) => T): T {
  try {
    return parse(pem);
  } catch (error) {
    if (error instanceof DerError || error instanceof PublicKeyError) {
      const problem = `the file in ${variable}: ${error.message}`;
      throw new TrustError("DOCUMENT", problem, error);
    }
    throw error;
  }
}

/** The anchors are the self-issued certificates; without any, the last certificate of the file. */
function authoritiesOf(pem: string): readonly CertificateAuthority[] {
  const certificates = Certificate.fromPem(pem);
  const roots = certificates.filter((each) => each.isSelfIssued && usageOf(each).isAuthority);
  const anchors = roots.length > 0 ? roots : certificates.slice(-1);
  if (anchors.length === 0) {
    throw new PublicKeyError("contains no certificate in PEM (-----BEGIN CERTIFICATE-----)");
  }
  const intermediates = certificates.filter((each) => !anchors.includes(each));
  return [{ anchors, intermediates, validity: {} }];
}

function logsOf(pem: string): readonly TrustedLog[] {
  const keys = publicKeysOf(pem);
  if (keys.length === 0) {
    throw new PublicKeyError("contains no public key in PEM (-----BEGIN PUBLIC KEY-----)");
  }
  return keys.map((publicKey) => ({ id: keyIdOf(publicKey), publicKey, validity: {} }));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash("sha256")
    .update(key.export({ format: "der", type: "spki" }))
    .digest();
}
