import { Certificate } from "../certificate/certificate";
import { hashOf, verifies } from "../certificate/public-key";
import { sha256Hex } from "../../oci/reference/digest-of";
import type { LogBody } from "../format/log-body";
import type { LogEntry } from "../format/log-entry";
import {
  checkLogEntry,
  type LoggedSignature,
  type LogEntryDemands,
  checkRekorV2Entry,
  isRekorV2,
  namesTrustedLog,
} from "./log-entry-check";
import { allowedSigner, checkSignerUsage, checkTrustedCertificate } from "./signer-certificate";
import { checkTimestamp } from "./timestamp-check";
import type { TrustMaterial } from "../trust/trust-material";
import {
  type ExpectedSigner,
  type SignerKey,
  type VerificationRules,
  type Verified,
  type VerifiedSigner,
  VerificationError,
  within,
} from "./verification";

/** A signature with its evidence, independent of the storage format. */
export interface SignedContent {
  /** The signed bytes. */
  readonly bytes: Buffer;
  readonly signature: Buffer;
  /** The payload, whose hash is in the log. */
  readonly payload: Buffer;
  /** The envelope exactly as it was sent to the log, if known. */
  readonly envelope?: Buffer | undefined;
  /** The signer's certificate as DER; undefined for a signature with a bare key. */
  readonly certificate: Buffer | undefined;
  readonly chain: readonly Certificate[];
  readonly logEntry: LogEntry | undefined;
  /** Further entries of the same signature, in other logs. @default none */
  readonly otherLogEntries?: readonly LogEntry[] | undefined;
  readonly logKinds: readonly LogBody["kind"][];
  readonly logProof: LogEntryDemands["proof"];
  /** RFC 3161 responses. */
  readonly timestamps: readonly Buffer[];
  /** What a timestamp may be for. @default only the signature */
  readonly stamped?: readonly Buffer[] | undefined;
}

/** Maximum number of timestamps of a signature; signers usually request one. */
const maxTimestamps = 5;

/**
 * The core of every verification: verifies who signed the bytes, and when.
 *
 * Required evidence must exist, and additional evidence must be valid.
 *
 * @throws VerificationError
 */
export function verifyContent(content: SignedContent, rules: VerificationRules): Verified {
  const { trust, time: required = "log" } = rules;
  const logs = trust.transparencyLogs;
  const mustBeLogged = required === "log" || required === "log-and-timestamp";
  const mustBeStamped = required === "timestamp" || required === "log-and-timestamp";

  const { signer, verifier, certificate } = checkSignature(content, rules.signer);
  const logged = loggedSignature(content, verifier);
  const entries = mustBeLogged ? entriesToCheck(content, trust) : [];
  // Entries of version 2 of the log have no time of their own: it comes from a timestamp.
  const undated = entries.filter(isRekorV2);
  const logTimes = entries
    .filter((entry) => !undated.includes(entry))
    .map((entry) => checkLogEntry(entry, logged, logs, { proof: content.logProof }));
  const stampTimes = checkTimestamps(content, trust, mustBeStamped || undated.length > 0);
  for (const entry of undated) checkRekorV2Entry(entry, logged, logs, stampTimes);
  const times = [...logTimes, ...stampTimes];
  if (certificate !== undefined) checkCertificate(certificate, content.chain, times, trust);

  const [entry] = entries;
  const log = entry && { logId: entry.logId.toString("hex"), logIndex: entry.logIndex };
  return { signer, at: times[0], ...(log && { log }) };
}

/** The signer of a signature that matches its content. */
interface Signed {
  readonly signer: VerifiedSigner;
  /** What log entries name as the signer. */
  readonly verifier: LoggedSignature["verifier"];
  /** A certificate, whose chain is still to be checked. */
  readonly certificate?: ExpectedCertificate;
}

interface ExpectedCertificate {
  readonly leaf: Certificate;
  readonly certificateLog: "required" | "ignored";
}

/** Checks the signature on the bytes, with the key or the certificate of an expected signer. */
function checkSignature(content: SignedContent, expected: ExpectedSigner): Signed {
  return "key" in expected
    ? signedWithKey(content, expected.key)
    : signedWithCertificate(content, expected);
}

function signedWithKey(
  { bytes, signature }: SignedContent,
  { publicKey, hash = "sha256" }: SignerKey,
): Signed {
  const used = publicKey.asymmetricKeyType === "ed25519" ? null : hash;
  if (!verifies(publicKey, used, bytes, signature)) {
    throw new VerificationError(
      "SIGNATURE",
      "the signature does not match the key and this content",
    );
  }
  const der = publicKey.export({ format: "der", type: "spki" });
  return { signer: { kind: "key", keyId: sha256Hex(der) }, verifier: { publicKey: der } };
}

function signedWithCertificate(
  { bytes, signature, certificate }: SignedContent,
  { identities, certificateLog = "required" }: Extract<ExpectedSigner, { identities: unknown }>,
): Signed {
  if (certificate === undefined) {
    throw new VerificationError("CERTIFICATE", "the signature has no certificate");
  }
  const leaf = within("CERTIFICATE", () => new Certificate(certificate));
  const signer = within("CERTIFICATE", () => {
    checkSignerUsage(leaf);
    return allowedSigner(leaf, identities);
  });
  const { publicKey, der } = leaf;
  const isSigned = ["sha256", hashOf(publicKey)].some((hash) =>
    verifies(publicKey, hash, bytes, signature),
  );
  if (!isSigned) {
    throw new VerificationError(
      "SIGNATURE",
      "the signature does not match the certificate's key and this content",
    );
  }
  return { signer, verifier: { certificate: der }, certificate: { leaf, certificateLog } };
}

/** Checks that a trusted authority had issued the certificate when the signature was made. */
function checkCertificate(
  { leaf, certificateLog }: ExpectedCertificate,
  presented: readonly Certificate[],
  times: readonly Date[],
  trust: TrustMaterial,
): void {
  if (times.length === 0) {
    throw new VerificationError("TIME", "the time of the signature is not proven");
  }
  checkTrustedCertificate({ leaf, presented, trust, certificateLog, times });
}

const loggedSignature = (
  { bytes, signature, payload, envelope, logKinds: kinds }: SignedContent,
  verifier: LoggedSignature["verifier"],
): LoggedSignature => {
  const envelopeSha256 = envelope && sha256Hex(envelope);
  return { signature, bytes, payload, verifier, envelopeSha256, kinds };
};

/**
 * Checks the timestamps, and returns their times.
 *
 * A timestamp that is not required says nothing if its authority is not a trusted one: it is ignored, as if
 * it had been removed. If it is malformed, or for something else, the signature is refused all the same.
 */
function checkTimestamps(
  { timestamps, signature, stamped = [signature] }: SignedContent,
  { timestampAuthorities: authorities }: TrustMaterial,
  isRequired: boolean,
): readonly Date[] {
  if (isRequired && timestamps.length === 0) {
    throw new VerificationError("TIMESTAMP", "the signature has no timestamp");
  }
  if (timestamps.length > maxTimestamps) {
    throw new VerificationError(
      "TIMESTAMP",
      `the signature has ${timestamps.length} timestamps, more than the maximum of ${maxTimestamps}`,
    );
  }
  if (isRequired && authorities.length === 0) {
    throw new VerificationError("NO_TRUST", "no timestamp authority is trusted");
  }
  const results = timestamps.map((stamp) => checkTimestamp(stamp, stamped, authorities));
  const times = results.flatMap((result) => ("time" in result ? [result.time] : []));
  const [unlisted] = results.flatMap((result) => ("time" in result ? [] : [result.unlisted]));
  if (isRequired && times.length === 0 && unlisted !== undefined) {
    throw new VerificationError("TIMESTAMP", unlisted);
  }
  return times;
}

/** The entries of trusted logs; at least one. Other logs may have entries of the same signature. */
function entriesToCheck(
  { logEntry, otherLogEntries = [] }: SignedContent,
  { transparencyLogs: logs }: TrustMaterial,
): readonly LogEntry[] {
  if (logEntry === undefined) {
    throw new VerificationError(
      "TRANSPARENCY_LOG",
      "the signature has no entry of a transparency log",
    );
  }
  const entries = [logEntry, ...otherLogEntries];
  const trusted = entries.filter((entry) => namesTrustedLog(entry, logs));
  return trusted.length === 0 ? [logEntry] : trusted;
}
