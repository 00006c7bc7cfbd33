import { Certificate } from "../certificate/certificate";
import { hashOf, verifies } from "../certificate/signature-algorithm";
import { sha256Hex } from "../../oci/reference/digest-of";
import type { LogBody } from "../format/log-body";
import type { LogEntry } from "../format/log-entry";
import { checkLogEntry, type LoggedSignature, type LogEntryDemands } from "./log-entry-check";
import { checkRekorV2Entry, isRekorV2, namesTrustedLog } from "./rekor-v2-check";
import { allowedSigner, checkSignerUsage } from "./signer-certificate";
import { checkTimestamp } from "./timestamp-check";
import { checkTrustedCertificate } from "./trusted-certificate";
import type { TrustMaterial } from "../trust/trust-material";
import type { SignerKey, VerificationRules, Verified, VerifiedSigner } from "./verification";
import { VerificationError, within } from "./verification-error";

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
 * @throws VerificationError
 */
export function verifyContent(content: SignedContent, rules: VerificationRules): Verified {
  return "key" in rules.signer
    ? verifyWithKey(content, rules.signer.key, rules)
    : verifyWithCertificate(content, rules.signer, rules);
}

function verifyWithKey(
  content: SignedContent,
  { publicKey, hash = "sha256" }: SignerKey,
  rules: VerificationRules,
): Verified {
  const used = publicKey.asymmetricKeyType === "ed25519" ? null : hash;
  if (!verifies(publicKey, used, content.bytes, content.signature)) {
    throw new VerificationError(
      "SIGNATURE",
      "the signature does not match the key and this content",
    );
  }
  const der = publicKey.export({ format: "der", type: "spki" });
  const keyId = sha256Hex(der);
  const { times, entries } = provenTimes(content, { publicKey: der }, rules);
  return { signer: { kind: "key", keyId }, ...describe(times, entries) };
}

function verifyWithCertificate(
  content: SignedContent,
  expected: Extract<VerificationRules["signer"], { identities: unknown }>,
  rules: VerificationRules,
): Verified {
  if (content.certificate === undefined) {
    throw new VerificationError("CERTIFICATE", "the signature has no certificate");
  }
  const { trust } = rules;
  const der = content.certificate;
  const leaf = within("CERTIFICATE", () => new Certificate(der));
  const signer: VerifiedSigner = within("CERTIFICATE", () => {
    checkSignerUsage(leaf);
    return allowedSigner(leaf, expected.identities);
  });
  const { publicKey } = leaf;
  const isSigned = ["sha256", hashOf(publicKey)].some((hash) =>
    verifies(publicKey, hash, content.bytes, content.signature),
  );
  if (!isSigned) {
    throw new VerificationError(
      "SIGNATURE",
      "the signature does not match the certificate's key and this content",
    );
  }
  const { times, entries } = provenTimes(content, { certificate: leaf.der }, rules);
  if (times.length === 0) {
    throw new VerificationError("TIME", "the time of the signature is not proven");
  }
  checkTrustedCertificate({
    leaf,
    presented: content.chain,
    trust,
    certificateLog: expected.certificateLog ?? "required",
    times: times.map(({ time }) => time),
  });
  return { signer, ...describe(times, entries) };
}

interface ProvenTime {
  readonly time: Date;
  readonly by: "log" | "timestamp";
}

/** What was verified. */
interface Evidence {
  readonly times: readonly ProvenTime[];
  /** The log entries that count: none if no log is required. */
  readonly entries: readonly LogEntry[];
}

/**
 * Required evidence must exist, and additional evidence must be valid.
 *
 * A timestamp that is not required says nothing if its authority is not a trusted one: it is ignored, as if
 * it had been removed. If it is malformed, or for something else, the signature is refused all the same.
 */
function provenTimes(
  content: SignedContent,
  verifier: LoggedSignature["verifier"],
  { trust, time: required = "log" }: VerificationRules,
): Evidence {
  const { timestamps, signature, bytes, payload, envelope, stamped = [signature] } = content;
  const logs = trust.transparencyLogs;
  const times: ProvenTime[] = [];
  const logged: LoggedSignature = {
    signature,
    bytes,
    payload,
    verifier,
    envelopeSha256: envelope && sha256Hex(envelope),
    kinds: content.logKinds,
  };
  const isLogged = required === "log" || required === "log-and-timestamp";
  const entries = isLogged ? entriesToCheck(content, trust) : [];
  // Entries of version 2 of the log have no time of their own: it comes from a timestamp.
  const undated = entries.filter(isRekorV2);
  for (const entry of entries) {
    if (undated.includes(entry)) continue;
    const time = checkLogEntry(entry, logged, logs, { proof: content.logProof });
    times.push({ time, by: "log" });
  }
  const isStamped =
    required === "timestamp" || required === "log-and-timestamp" || undated.length > 0;
  if (isStamped && timestamps.length === 0) {
    throw new VerificationError("TIMESTAMP", "the signature has no timestamp");
  }
  if (timestamps.length > maxTimestamps) {
    throw new VerificationError(
      "TIMESTAMP",
      `the signature has ${timestamps.length} timestamps, more than the maximum of ${maxTimestamps}`,
    );
  }
  if (isStamped && trust.timestampAuthorities.length === 0) {
    throw new VerificationError("NO_TRUST", "no timestamp authority is trusted");
  }
  const stampedAt: Date[] = [];
  let unlisted: string | undefined;
  for (const stamp of timestamps) {
    const result = checkTimestamp(stamp, stamped, trust.timestampAuthorities);
    if ("time" in result) stampedAt.push(result.time);
    else unlisted ??= result.unlisted;
  }
  if (isStamped && stampedAt.length === 0 && unlisted !== undefined) {
    throw new VerificationError("TIMESTAMP", unlisted);
  }
  for (const entry of undated) checkRekorV2Entry(entry, logged, logs, stampedAt);
  const stamps = stampedAt.map((time): ProvenTime => ({ time, by: "timestamp" }));
  return { times: [...times, ...stamps], entries };
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

function describe(
  times: readonly ProvenTime[],
  [entry]: readonly LogEntry[],
): Omit<Verified, "signer"> {
  return {
    at: times[0]?.time,
    ...(entry && { log: { logId: entry.logId.toString("hex"), logIndex: entry.logIndex } }),
  };
}
