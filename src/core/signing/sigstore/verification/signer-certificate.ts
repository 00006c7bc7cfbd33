import { createHash } from "node:crypto";
import {
  type Certificate,
  oid,
  identityOf,
  unknownCriticalExtension,
  usageOf,
} from "../certificate/certificate";
import { verifies } from "../certificate/public-key";
import { isWithin, type TrustedLog, type TrustMaterial } from "../trust/trusted-root";
import {
  checkPresentedChain,
  checkPresentedCount,
  IssuerChecks,
  issuerInChain,
} from "./certificate-chain";
import {
  demand,
  describeRule,
  type IdentityRule,
  matches,
  type VerifiedSigner,
  within,
} from "./verification";
import { derError } from "../der/der-element";
import { readOctetString } from "../der/read-value";

const knownInLeaves = [
  oid.basicConstraints,
  oid.keyUsage,
  oid.extendedKeyUsage,
  oid.subjectAlternativeName,
];

/**
 * Checks that a certificate is for signing code.
 *
 * @throws VerificationError
 * @see https://github.com/sigstore/fulcio/blob/main/docs/certificate-specification.md
 */
export function checkSignerUsage(certificate: Certificate): void {
  const { isAuthority, signsData, purposes } = usageOf(certificate);
  const unknown = unknownCriticalExtension(certificate, knownInLeaves);
  const refuseIf = (isWrong: boolean, problem: string): void => {
    demand(!isWrong, "CERTIFICATE", `the signer's certificate ${problem}`);
  };
  refuseIf(isAuthority, "belongs to a certificate authority");
  refuseIf(!signsData, "is not for digital signatures");
  refuseIf(purposes?.includes(oid.codeSigning) !== true, "is not for code signing");
  refuseIf(unknown !== undefined, `has the unknown critical extension ${unknown ?? ""}`);
}

/**
 * Checks that all certificate timestamps (SCTs) in a certificate are from trusted logs, and that it has one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6962#section-3.2
 */
function checkCertificateLog(
  certificate: Certificate,
  issuer: Certificate,
  logs: readonly TrustedLog[],
): void {
  demand(logs.length > 0, "NO_TRUST", "no certificate transparency log is trusted");
  const timestamps = certificateTimestamps(certificate);
  demand(
    timestamps.length > 0,
    "CERTIFICATE_LOG",
    "the certificate contains no timestamp of a certificate transparency log (SCT)",
  );
  const issuerKeyHash = createHash("sha256").update(issuer.publicKeyDer).digest();
  const isTrusted = (timestamp: CertificateTimestamp): boolean => {
    const bytes = signedTimestamp(timestamp, certificate, issuerKeyHash);
    return logs.some(
      ({ id, publicKey, validity }) =>
        id.equals(timestamp.logId) &&
        isWithin(validity, timestamp.time) &&
        timestamp.hashAlgorithm === sha256InTls &&
        verifies(publicKey, "sha256", bytes, timestamp.signature),
    );
  };
  demand(
    timestamps.every(isTrusted),
    "CERTIFICATE_LOG",
    "a timestamp in the certificate (SCT) is not from a trusted certificate transparency log",
  );
}

const sha256InTls = 4;

/** Reads the identity in a certificate, which one of the rules must allow. */
export function allowedSigner(
  certificate: Certificate,
  rules: readonly IdentityRule[],
): VerifiedSigner {
  // A private authority may leave out the issuer: a pattern can allow that.
  const { subjects, issuer = "" } = identityOf(certificate);
  const [subject, ...otherSubjects] = subjects;
  demand(subject !== undefined, "IDENTITY", "the certificate has no identity");
  // All names must be allowed: otherwise a signer could add an allowed name.
  const isAllowed = rules.some(
    (rule) => matches(rule.issuer, issuer) && subjects.every((each) => matches(rule.subject, each)),
  );
  const who = subjects.map((each) => JSON.stringify(each)).join(" and ");
  demand(
    isAllowed,
    "IDENTITY",
    `signed by ${who} from ${issuer === "" ? "no issuer" : JSON.stringify(issuer)}, ` +
      `expected ${rules.map(describeRule).join(", or ") || "no identity"}`,
  );
  return { kind: "identity", subject, issuer, otherSubjects };
}

interface TrustedCertificateProps {
  readonly leaf: Certificate;
  readonly presented: readonly Certificate[];
  readonly trust: TrustMaterial;
  readonly certificateLog: "required" | "ignored";
  /** The times at which the certificate and its chain must be valid. */
  readonly times: readonly Date[];
}

/**
 * Checks that a trusted certificate authority issued a signer's certificate, and that a trusted certificate
 * transparency log has promised to list it.
 *
 * @throws VerificationError
 */
export function checkTrustedCertificate(props: TrustedCertificateProps): void {
  const { leaf, presented, trust, certificateLog, times } = props;
  const authorities = trust.certificateAuthorities;
  const checks = new IssuerChecks();
  within("CERTIFICATE", () => {
    checkPresentedCount(presented.length, "signature");
    checkPresentedChain(leaf, presented, authorities, checks);
    for (const time of times) {
      const chain = { leaf, authorities, presented, time, checks };
      const issuer = issuerInChain({ ...chain, purpose: oid.codeSigning });
      if (certificateLog === "required") checkCertificateLog(leaf, issuer, trust.certificateLogs);
    }
  });
}

/**
 * A signed certificate timestamp (SCT): a log's promise to add a certificate.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6962#section-3.2
 */
interface CertificateTimestamp {
  readonly logId: Buffer;
  readonly time: Date;
  /** TLS's number of the hash algorithm (RFC 5246 §7.4.1.4.1). */
  readonly hashAlgorithm: number;
  readonly signatureAlgorithm: number;
  readonly signature: Buffer;
  /** The time and the extensions, encoded as in the signed bytes. */
  readonly timeBytes: Buffer;
  readonly extensionsBytes: Buffer;
}

/** Maximum number of SCTs in a certificate; signers' certificates have one. */
const maxTimestamps = 10;

/** Reads the SCTs in a certificate. @throws DerError */
export function certificateTimestamps(certificate: Certificate): readonly CertificateTimestamp[] {
  const extension = certificate.extension(oid.signedCertificateTimestamps);
  if (extension === undefined) return [];
  const list = new TlsReader(readOctetString(extension));
  const items = new TlsReader(list.vector());
  list.end();
  const timestamps: CertificateTimestamp[] = [];
  while (!items.isAtEnd) {
    timestamps.push(readTimestamp(items.vector()));
    if (timestamps.length > maxTimestamps) {
      throw derError("UNSUPPORTED", `the certificate has more than ${maxTimestamps} SCTs`);
    }
  }
  return timestamps;
}

/**
 * The bytes that a log signs: the timestamp, and the certificate without its SCTs (`precert_entry`).
 *
 * @param issuerKeyHash SHA-256 of the issuer's public key
 */
function signedTimestamp(
  timestamp: CertificateTimestamp,
  certificate: Certificate,
  issuerKeyHash: Buffer,
): Buffer {
  const tbs = certificate.tbsWithout(oid.signedCertificateTimestamps);
  const size = Buffer.alloc(3);
  size.writeUIntBE(tbs.byteLength, 0, 3);
  return Buffer.concat([
    Buffer.of(0, 0),
    timestamp.timeBytes,
    Buffer.of(0, 1),
    issuerKeyHash,
    size,
    tbs,
    timestamp.extensionsBytes,
  ]);
}

function readTimestamp(bytes: Buffer): CertificateTimestamp {
  const reader = new TlsReader(bytes);
  if (reader.byte() !== 0) throw derError("UNSUPPORTED", "an SCT does not have version 1");
  const logId = reader.take(32);
  const timeBytes = reader.take(8);
  const extensions = reader.vector();
  const size = Buffer.alloc(2);
  size.writeUInt16BE(extensions.byteLength);
  const hashAlgorithm = reader.byte();
  const signatureAlgorithm = reader.byte();
  const signature = reader.vector();
  reader.end();
  return {
    logId,
    time: new Date(Number(timeBytes.readBigUInt64BE())),
    hashAlgorithm,
    signatureAlgorithm,
    signature,
    timeBytes,
    extensionsBytes: Buffer.concat([size, extensions]),
  };
}

/** Reads the parts of TLS's presentation language (RFC 5246 §4) that SCTs use. */
class TlsReader {
  #offset = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.byteLength;
  }

  take(count: number): Buffer {
    const end = this.#offset + count;
    if (end > this.#bytes.byteLength) throw derError("TRUNCATED", "an SCT ends too early");
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  vector(): Buffer {
    return this.take(this.take(2).readUInt16BE());
  }

  end(): void {
    if (!this.isAtEnd) throw derError("TRAILING_BYTES", "there are extra bytes after an SCT");
  }
}
