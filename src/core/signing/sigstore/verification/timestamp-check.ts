import { createHash } from "node:crypto";
import {
  oid,
  type Certificate,
  unknownCriticalExtension,
  usageOf,
} from "../certificate/certificate";
import { isSignedBy, verifies } from "../certificate/public-key";
import type { CertificateAuthority } from "../trust/trusted-root";
import {
  isIdOf,
  readTimestamp,
  sha2,
  timestampContentType,
  type TimestampToken,
} from "./timestamp-token";
import { findIssuer, IssuerChecks } from "./certificate-chain";
import { demand, within, isVerificationError, verificationError } from "./verification";

/** The time in a timestamp, or the reason why its authority is not one of the trusted ones. */
type TimestampResult = { readonly time: Date } | { readonly unlisted: string };

/**
 * Verifies a timestamp: that it is well formed, for the content, and correctly signed, and that its authority
 * is trusted.
 *
 * @param response an RFC 3161 response
 * @param candidates the contents of which one must be timestamped
 * @throws VerificationError
 * @see https://www.rfc-editor.org/rfc/rfc3161#section-2.4.2
 */
export function checkTimestamp(
  response: Uint8Array,
  candidates: readonly Uint8Array[],
  authorities: readonly CertificateAuthority[],
): TimestampResult {
  return within("TIMESTAMP", () => {
    const token = readTimestamp(response);
    checkImprint(token, candidates);
    const certificate = signerOf(token, authorities);
    if (certificate === undefined) {
      return { unlisted: "the signer of the timestamp is not a trusted authority" };
    }
    checkPresented(token, certificate);
    checkSignature(token, certificate);
    if (!hasChain(certificate, token, authorities)) {
      return { unlisted: "the authority of the timestamp was not trusted at that time" };
    }
    checkUsage(certificate);
    return { time: token.time };
  });
}

function checkImprint({ imprint }: TimestampToken, candidates: readonly Uint8Array[]): void {
  const hash = sha2[imprint.algorithm];
  const isFor = (bytes: Uint8Array): boolean =>
    hash !== undefined && createHash(hash).update(bytes).digest().equals(imprint.hash);
  demand(candidates.some(isFor), "TIMESTAMP", "the timestamp is for other content");
}

/** The signer's certificate, in the token or among the trusted ones. */
function signerOf(
  { signer, certificates }: TimestampToken,
  authorities: readonly CertificateAuthority[],
): Certificate | undefined {
  const known = authorities.flatMap(({ intermediates, anchors }) => [...intermediates, ...anchors]);
  return [...known, ...certificates].find(
    ({ issuer, serialNumber }) =>
      serialNumber === signer.serialNumber && issuer.equals(signer.issuer),
  );
}

/** The list of certificates is not signed. If there is one, it contains the signer's certificate (RFC 3161 §2.4.1). */
function checkPresented({ certificates }: TimestampToken, { der }: Certificate): void {
  demand(
    certificates.length === 0 || certificates.some((each) => each.der.equals(der)),
    "TIMESTAMP",
    "the timestamp has certificates, but not its signer's",
  );
}

function checkSignature(token: TimestampToken, certificate: Certificate): void {
  const { publicKey } = certificate;
  const hash = sha2[token.digestAlgorithm];
  const digest = hash === undefined ? hash : createHash(hash).update(token.content).digest();
  const { signedAttributes, signatureAlgorithm, signature } = token;
  const isSigned =
    isSignedBy(publicKey, signatureAlgorithm, signedAttributes, signature) ||
    // In CMS, the algorithm can be the key type alone; the hash is then that of the digest.
    (bareAlgorithms.includes(signatureAlgorithm) &&
      verifies(publicKey, hash ?? null, signedAttributes, signature));
  demand(
    isSigned &&
      digest !== undefined &&
      digest.equals(token.messageDigest) &&
      token.contentType === timestampContentType,
    "TIMESTAMP",
    "the signature of the timestamp is wrong",
  );
  demand(
    token.certificateIds.every((id) => isIdOf(id, certificate)),
    "TIMESTAMP",
    "the timestamp is bound to another certificate than its signer's",
  );
}

const bareAlgorithms = ["1.2.840.113549.1.1.1", "1.2.840.10045.2.1"];

/** The certificate must be for timestamps only, and its extended key usage critical (RFC 3161 §2.3). */
function checkUsage(certificate: Certificate): void {
  const { isAuthority, purposes, signsOnlyData } = usageOf(certificate);
  const known = [oid.keyUsage, oid.extendedKeyUsage, oid.basicConstraints];
  const { extensions } = certificate;
  demand(
    !isAuthority &&
      purposes?.length === 1 &&
      purposes[0] === oid.timeStamping &&
      extensions.get(oid.extendedKeyUsage)?.critical === true &&
      (signsOnlyData || !extensions.has(oid.keyUsage)) &&
      unknownCriticalExtension(certificate, known) === undefined,
    "TIMESTAMP",
    "the certificate of the timestamp must be for timestamps only (RFC 3161, section 2.3)",
  );
}

function hasChain(
  leaf: Certificate,
  { time, certificates }: TimestampToken,
  authorities: readonly CertificateAuthority[],
): boolean {
  try {
    const issuer = findIssuer({
      leaf,
      authorities,
      presented: certificates,
      time,
      purpose: oid.timeStamping,
      checks: new IssuerChecks(),
    });
    return issuer !== undefined;
  } catch (error) {
    if (!isVerificationError(error)) throw error;
    throw verificationError("TIMESTAMP", `the signer of the timestamp: ${error.message}`);
  }
}
