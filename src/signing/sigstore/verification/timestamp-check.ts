import { createHash } from "node:crypto";
import { oid } from "../certificate/object-identifiers";
import { isSignedBy, verifies } from "../certificate/signature-algorithm";
import { unknownCriticalExtension, usageOf } from "../certificate/usage";
import type { Certificate } from "../certificate/certificate";
import type { CertificateAuthority } from "../trust/trust-material";
import { issuerInChain } from "./certificate-chain";
import { IssuerChecks } from "./issuer-checks";
import { readTimestamp, timestampContentType, type TimestampToken } from "./timestamp-token";
import { VerificationError, within } from "./verification-error";

const hashes: Readonly<Record<string, string | undefined>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/**
 * Verifies that a trusted timestamp authority has timestamped these bytes.
 *
 * @param response an RFC 3161 response
 * @returns the time in the timestamp
 * @throws VerificationError
 * @see https://www.rfc-editor.org/rfc/rfc3161#section-2.4.2
 */
export function checkTimestamp(
  response: Uint8Array,
  bytes: Uint8Array,
  authorities: readonly CertificateAuthority[],
): Date {
  if (authorities.length === 0) {
    throw new VerificationError("NO_TRUST", "no timestamp authority is trusted");
  }
  return within("TIME_STAMP", () => {
    const token = readTimestamp(response);
    checkImprint(token, bytes);
    const certificate = signerOf(token, authorities);
    checkSignature(token, certificate);
    checkUsage(certificate);
    checkChain(certificate, token, authorities);
    return token.time;
  });
}

function checkImprint({ imprint }: TimestampToken, bytes: Uint8Array): void {
  const hash = hashes[imprint.algorithm];
  if (hash === undefined || !createHash(hash).update(bytes).digest().equals(imprint.hash)) {
    throw new VerificationError("TIME_STAMP", "the timestamp is for another signature");
  }
}

/** The signer's certificate is in the token, or among the trusted ones. */
function signerOf(
  { signer, certificates }: TimestampToken,
  authorities: readonly CertificateAuthority[],
): Certificate {
  const known = authorities.flatMap(({ intermediates, anchors }) => [...intermediates, ...anchors]);
  const found = [...known, ...certificates].find(
    ({ issuer, serialNumber }) =>
      serialNumber === signer.serialNumber && issuer.equals(signer.issuer),
  );
  if (found !== undefined) return found;
  throw new VerificationError(
    "TIME_STAMP",
    "the signer of the timestamp is not a trusted authority",
  );
}

function checkSignature(token: TimestampToken, { publicKey }: Certificate): void {
  const hash = hashes[token.digestAlgorithm];
  const digest = hash && createHash(hash).update(token.content).digest();
  const { signedAttributes, signatureAlgorithm, signature } = token;
  const isSigned =
    isSignedBy(publicKey, signatureAlgorithm, signedAttributes, signature) ||
    // CMS may name only the key type; the hash is then that of the digest.
    (bareAlgorithms.includes(signatureAlgorithm) &&
      verifies(publicKey, hash ?? null, signedAttributes, signature));
  if (
    !digest ||
    !digest.equals(token.messageDigest) ||
    token.contentType !== timestampContentType ||
    !isSigned
  ) {
    throw new VerificationError("TIME_STAMP", "the signature of the timestamp is wrong");
  }
}

const bareAlgorithms = ["1.2.840.113549.1.1.1", "1.2.840.10045.2.1"];

/** RFC 3161 §2.3: the certificate must be for timestamps only. */
function checkUsage(certificate: Certificate): void {
  const { isAuthority, purposes } = usageOf(certificate);
  const known = [oid.keyUsage, oid.extendedKeyUsage, oid.basicConstraints];
  const isForTimestamps = purposes?.length === 1 && purposes[0] === oid.timeStamping;
  if (isAuthority || !isForTimestamps || unknownCriticalExtension(certificate, known)) {
    throw new VerificationError(
      "TIME_STAMP",
      "the certificate of the timestamp is not for timestamps",
    );
  }
}

function checkChain(
  leaf: Certificate,
  { time, certificates }: TimestampToken,
  authorities: readonly CertificateAuthority[],
): void {
  try {
    issuerInChain({
      ...{ leaf, authorities, presented: certificates, time },
      purpose: oid.timeStamping,
      checks: new IssuerChecks(),
    });
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    throw new VerificationError("TIME_STAMP", `the signer of the timestamp: ${error.message}`);
  }
}
