import { createHash } from "node:crypto";
import type { Certificate } from "../certificate/certificate";
import {
  certificateTimestamps,
  signedTimestamp,
  type CertificateTimestamp,
} from "../certificate/certificate-timestamp";
import { identityOf } from "../certificate/identity";
import { oid } from "../certificate/object-identifiers";
import { hashOf, verifies } from "../certificate/signature-algorithm";
import { unknownCriticalExtension, usageOf } from "../certificate/usage";
import { isWithin, type TrustedLog } from "../trust/trust-material";
import { describeRule, matches, type IdentityRule } from "./identity-rule";
import type { VerifiedSigner } from "./verification";
import { VerificationError } from "./verification-error";

const knownInLeaves = [
  oid.basicConstraints,
  oid.keyUsage,
  oid.extendedKeyUsage,
  oid.subjectAlternativeName,
];

/** Says that a certificate is one for signing data, and nothing else. */
export function checkSignerUsage(certificate: Certificate): void {
  const { isAuthority, signsData, purposes } = usageOf(certificate);
  const unknown = unknownCriticalExtension(certificate, knownInLeaves);
  const problem = isAuthority
    ? "is one of an authority"
    : !signsData
      ? "is not for digital signatures"
      : purposes?.includes(oid.codeSigning) !== true
        ? "is not for signing code"
        : unknown !== undefined
          ? `has the critical extension ${unknown}, which is not understood`
          : undefined;
  if (problem !== undefined) {
    throw new VerificationError("CERTIFICATE", `the signer's certificate ${problem}`);
  }
}

/** Says that a trusted log has promised to list the certificate; every promise in it must hold. */
export function checkCertificateLog(
  certificate: Certificate,
  issuer: Certificate,
  logs: readonly TrustedLog[],
): void {
  if (logs.length === 0) {
    throw new VerificationError("NO_TRUST", "no certificate transparency log is trusted");
  }
  const timestamps = certificateTimestamps(certificate);
  if (timestamps.length === 0) {
    throw new VerificationError(
      "CERTIFICATE_LOG",
      "the certificate holds no promise of a certificate transparency log (SCT)",
    );
  }
  const issuerKeyHash = createHash("sha256").update(issuer.publicKeyDer).digest();
  const holds = (timestamp: CertificateTimestamp): boolean => {
    const bytes = signedTimestamp(timestamp, certificate, issuerKeyHash);
    return logs.some(
      ({ id, publicKey, validity }) =>
        id.equals(timestamp.logId) &&
        isWithin(validity, timestamp.time) &&
        timestamp.hashAlgorithm === sha256InTls &&
        verifies(publicKey, hashOf(publicKey) && "sha256", bytes, timestamp.signature),
    );
  };
  if (!timestamps.every(holds)) {
    throw new VerificationError(
      "CERTIFICATE_LOG",
      "a promise in the certificate (SCT) is not one of a trusted certificate transparency log",
    );
  }
}

const sha256InTls = 4;

/** Whom the certificate names, when one of the rules allows it. */
export function allowedSigner(
  certificate: Certificate,
  rules: readonly IdentityRule[],
): VerifiedSigner {
  const { subjects, issuer } = identityOf(certificate);
  const [subject, ...otherSubjects] = subjects;
  if (subject === undefined || issuer === undefined) {
    throw new VerificationError("IDENTITY", "the certificate does not name a signer and an issuer");
  }
  // With several names, each must be allowed: else a holder could add the one that is asked for.
  const isAllowed = rules.some(
    (rule) => matches(rule.issuer, issuer) && subjects.every((each) => matches(rule.subject, each)),
  );
  if (!isAllowed) {
    const who = subjects.map((each) => JSON.stringify(each)).join(" and ");
    throw new VerificationError(
      "IDENTITY",
      `signed by ${who} from ${JSON.stringify(issuer)}, ` +
        `expected ${rules.map(describeRule).join(", or ") || "nobody"}`,
    );
  }
  return { kind: "identity", subject, issuer, otherSubjects };
}
