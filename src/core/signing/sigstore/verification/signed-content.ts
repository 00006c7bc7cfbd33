import { Certificate } from "../certificate/certificate";
import { hashOf, spkiOf, verifies } from "../certificate/public-key";
import type { LogBody } from "../format/log-body";
import type { LogEntry } from "../format/log-entry";
import { type TrustMaterial, urlOf } from "../trust/trusted-root";
import {
  checkLogEntry,
  checkUndatedEntry,
  isRekorV2,
  isUndated,
  type LoggedSignature,
  namedLog,
} from "./log-entry-check";
import { allowedSigner, checkSignerUsage, checkTrustedCertificate } from "./signer-certificate";
import { checkTimestamp } from "./timestamp-check";
import {
  demand,
  type ExpectedSigner,
  type LoggedAt,
  type SignerKey,
  type VerificationRules,
  type Verified,
  type VerifiedSigner,
  within,
} from "./verification";
import { sha256Hex } from "../../oci/reference/descriptor";

/** A signature with its evidence, independent of the storage format. */
export interface SignedContent {
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
  /** Entries of the same signature in other logs. @default none */
  readonly otherLogEntries?: readonly LogEntry[] | undefined;
  readonly logKinds: readonly LogBody["kind"][];
  /** An inclusion proof of an entry in version 1 of the log. */
  readonly logProof: "required" | "optional";
  /** RFC 3161 responses. */
  readonly timestamps: readonly Buffer[];
  /** The contents of which one must be timestamped. @default only the signature */
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

  const { signer, verifier, certificate } =
    "key" in rules.signer
      ? signedWithKey(content, rules.signer.key)
      : signedWithCertificate(content, rules.signer);
  const logged = loggedSignature(content, verifier);
  const entries = mustBeLogged ? entriesToCheck(content, trust) : [];
  // Their time comes from a timestamp.
  const undated = entries.filter(
    (entry) => isRekorV2(entry) || (content.timestamps.length > 0 && isUndated(entry)),
  );
  const logTimes = entries
    .filter((entry) => !undated.includes(entry))
    .map((entry) => checkLogEntry(entry, logged, logs, content.logProof === "required"));
  const stampTimes = checkTimestamps(content, trust, mustBeStamped || undated.length > 0);
  for (const entry of undated) checkUndatedEntry(entry, logged, logs, stampTimes);
  const times = [...logTimes, ...stampTimes];
  if (certificate !== undefined) {
    demand(times.length > 0, "TIME", "the time of the signature is not proven");
    checkTrustedCertificate({ ...certificate, presented: content.chain, trust, times });
  }

  const [at] = times;
  const [entry] = entries;
  return {
    signer,
    at,
    ...(at && { provenBy: logTimes.length > 0 ? "log" : "timestamp" }),
    ...(certificate && { certificate: certificate.leaf }),
    ...(entry && { log: loggedAt(entry, logs) }),
  };
}

function loggedAt(entry: LogEntry, logs: TrustMaterial["transparencyLogs"]): LoggedAt {
  const { logId, inclusionProof } = entry;
  const log = namedLog(entry, logs);
  // Without a promise, only the index in the tree is proven.
  const logIndex = (isUndated(entry) ? inclusionProof?.logIndex : undefined) ?? entry.logIndex;
  return { logId: logId.toString("hex"), logIndex, url: log && urlOf(log) };
}

/** The signer of a signature that matches its content. */
interface Signed {
  readonly signer: VerifiedSigner;
  /** The signer as in log entries. */
  readonly verifier: LoggedSignature["verifier"];
  /** A certificate whose chain must still be checked. */
  readonly certificate?: {
    readonly leaf: Certificate;
    readonly certificateLog: "required" | "ignored";
  };
}

function signedWithKey(
  { bytes, signature }: SignedContent,
  { publicKey, hash = "sha256" }: SignerKey,
): Signed {
  const used = publicKey.asymmetricKeyType === "ed25519" ? null : hash;
  demand(
    verifies(publicKey, used, bytes, signature),
    "SIGNATURE",
    "the signature does not match the key and this content",
  );
  const der = spkiOf(publicKey);
  return { signer: { kind: "key", keyId: sha256Hex(der) }, verifier: { publicKey: der } };
}

function signedWithCertificate(
  { bytes, signature, certificate }: SignedContent,
  { identities, certificateLog = "required" }: Extract<ExpectedSigner, { identities: unknown }>,
): Signed {
  demand(certificate !== undefined, "CERTIFICATE", "the signature has no certificate");
  const { leaf, signer } = within("CERTIFICATE", () => {
    const leaf = new Certificate(certificate);
    checkSignerUsage(leaf);
    return { leaf, signer: allowedSigner(leaf, identities) };
  });
  const { publicKey, der } = leaf;
  demand(
    ["sha256", hashOf(publicKey)].some((hash) => verifies(publicKey, hash, bytes, signature)),
    "SIGNATURE",
    "the signature does not match the certificate's key and this content",
  );
  return { signer, verifier: { certificate: der }, certificate: { leaf, certificateLog } };
}

function loggedSignature(
  { bytes, signature, payload, envelope, logKinds: kinds }: SignedContent,
  verifier: LoggedSignature["verifier"],
): LoggedSignature {
  const envelopeSha256 = envelope && sha256Hex(envelope);
  return { signature, bytes, payload, verifier, envelopeSha256, kinds };
}

/**
 * Checks the timestamps, and returns their times.
 *
 * A timestamp that is not required is ignored if its authority is not trusted, as if it had been removed. If it is malformed,
 * or for other content, the signature is refused nevertheless.
 */
function checkTimestamps(
  { timestamps, signature, stamped = [signature] }: SignedContent,
  { timestampAuthorities: authorities }: TrustMaterial,
  isRequired: boolean,
): readonly Date[] {
  const count = timestamps.length;
  demand(!isRequired || count > 0, "TIMESTAMP", "the signature has no timestamp");
  demand(
    count <= maxTimestamps,
    "TIMESTAMP",
    `the signature has ${count} timestamps, more than the maximum of ${maxTimestamps}`,
  );
  demand(!isRequired || authorities.length > 0, "NO_TRUST", "no timestamp authority is trusted");
  const results = timestamps.map((stamp) => checkTimestamp(stamp, stamped, authorities));
  const times = results.flatMap((result) => ("time" in result ? [result.time] : []));
  const [unlisted] = results.flatMap((result) => ("time" in result ? [] : [result.unlisted]));
  demand(
    !isRequired || times.length > 0,
    "TIMESTAMP",
    unlisted ?? "the signature has no timestamp",
  );
  return times;
}

/** The entries of trusted logs; at least one. Other logs may have entries of the same signature. */
function entriesToCheck(
  { logEntry, otherLogEntries = [] }: SignedContent,
  { transparencyLogs: logs }: TrustMaterial,
): readonly LogEntry[] {
  demand(
    logEntry !== undefined,
    "TRANSPARENCY_LOG",
    "the signature has no entry of a transparency log",
  );
  const entries = [logEntry, ...otherLogEntries];
  const trusted = entries.filter((entry) => namedLog(entry, logs) !== undefined);
  return trusted.length === 0 ? [logEntry] : trusted;
}
