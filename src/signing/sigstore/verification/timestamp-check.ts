import { createHash } from "node:crypto";
import { oid } from "../certificate/object-identifiers";
import { isSignedBy, verifies } from "../certificate/signature-algorithm";
import { unknownCriticalExtension, usageOf } from "../certificate/usage";
import type { Certificate } from "../certificate/certificate";
import type { CertificateAuthority } from "../trust/trust-material";
import { issuerInChain } from "./certificate-chain";
import { readTimestamp, timestampContentType, type TimestampToken } from "./timestamp-token";
import { VerificationError, within } from "./verification-error";

const hashes: Readonly<Record<string, string | undefined>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/**
 * Says that a trusted authority has seen these bytes, and gives the time at which it did.
 *
 * @param response an RFC 3161 answer
 * @throws VerificationError
 */
export function checkTimestamp(
  response: Uint8Array,
  bytes: Uint8Array,
  authorities: readonly CertificateAuthority[],
): Date {
  if (authorities.length === 0) {
    throw new VerificationError("NO_TRUST", "no time-stamp authority is trusted");
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
    throw new VerificationError("TIME_STAMP", "the time stamp is for another signature");
  }
}

/** The certificate may come along, or be known beforehand as an authority's own. */
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
  throw new VerificationError("TIME_STAMP", "the time stamp's signer is not a trusted authority");
}

function checkSignature(token: TimestampToken, { publicKey }: Certificate): void {
  const hash = hashes[token.digestAlgorithm];
  const digest = hash && createHash(hash).update(token.content).digest();
  const { signedAttributes, signatureAlgorithm, signature } = token;
  const isSigned =
    isSignedBy(publicKey, signatureAlgorithm, signedAttributes, signature) ||
    // CMS may name the bare key type, with the hash of the digest.
    (bareAlgorithms.includes(signatureAlgorithm) &&
      verifies(publicKey, hash ?? null, signedAttributes, signature));
  if (
    !digest ||
    !digest.equals(token.messageDigest) ||
    token.contentType !== timestampContentType ||
    !isSigned
  ) {
    throw new VerificationError("TIME_STAMP", "the time stamp's signature is wrong");
  }
}

const bareAlgorithms = ["1.2.840.113549.1.1.1", "1.2.840.10045.2.1"];

/** RFC 3161 §2.3: for time stamps alone. */
function checkUsage(certificate: Certificate): void {
  const { isAuthority, purposes } = usageOf(certificate);
  const known = [oid.keyUsage, oid.extendedKeyUsage, oid.basicConstraints];
  const isForTimestamps = purposes?.length === 1 && purposes[0] === oid.timeStamping;
  if (isAuthority || !isForTimestamps || unknownCriticalExtension(certificate, known)) {
    throw new VerificationError(
      "TIME_STAMP",
      "the time stamp's certificate is not for time stamps",
    );
  }
}

function checkChain(
  leaf: Certificate,
  { time, certificates }: TimestampToken,
  authorities: readonly CertificateAuthority[],
): void {
  try {
    issuerInChain({ leaf, authorities, presented: certificates, time, purpose: oid.timeStamping });
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    throw new VerificationError("TIME_STAMP", `the time stamp's signer: ${error.message}`);
  }
}
