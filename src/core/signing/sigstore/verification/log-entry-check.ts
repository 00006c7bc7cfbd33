import { createHash } from "node:crypto";
import { hashOf, keyIdOf, verifies } from "../certificate/public-key";
import { fromPem } from "../der/der-element";
import { readLogBody, type LogBody, type LoggedHash } from "../format/log-body";
import { rekorV2Kind, signedEntry, type LogEntry } from "../format/log-entry";
import { isWithin, type TrustedLog } from "../trust/trusted-root";
import { checkInclusion, noteKeyId, originOf } from "./inclusion-proof";
import { demand, within } from "./verification";

/** The signature that a log entry must be for. */
export interface LoggedSignature {
  readonly signature: Buffer;
  /** The signed bytes, of which some kinds of entries contain a hash. */
  readonly bytes: Buffer;
  /** The payload, of which other kinds contain a hash. */
  readonly payload: Buffer;
  /** SHA-256 of the envelope as it was sent to the log, in hexadecimal, if known. */
  readonly envelopeSha256?: string | undefined;
  /** The signer's public key (SubjectPublicKeyInfo), or the whole certificate. */
  readonly verifier: { readonly certificate: Buffer } | { readonly publicKey: Buffer };
  readonly kinds: readonly LogBody["kind"][];
}

/**
 * Verifies that a trusted log contains an entry, and that the entry is for a signature.
 *
 * @param needsProof requires an inclusion proof, as in bundles
 * @returns the time at which the log added the entry, which is covered by the signed entry timestamp
 * @see https://docs.sigstore.dev/logging/overview/
 */
export function checkLogEntry(
  entry: LogEntry,
  logged: LoggedSignature,
  logs: readonly TrustedLog[],
  needsProof: boolean,
): Date {
  const time = checkInLog(entry, logs, needsProof);
  within("TRANSPARENCY_LOG", () => checkBody(entry.body, logged));
  return time;
}

/** {@link checkLogEntry} for any signature. */
export function checkInLog(
  entry: LogEntry,
  logs: readonly TrustedLog[],
  needsProof: boolean,
): Date {
  demand(logs.length > 0, "NO_TRUST", "no transparency log is trusted");
  const { logId, signedEntryTimestamp, inclusionProof, body } = entry;
  demand(
    signedEntryTimestamp !== undefined,
    "TRANSPARENCY_LOG",
    "the entry is not signed by the log, and has no timestamp and inclusion proof instead",
  );
  const time = new Date(entry.integratedTime * 1000);
  const candidates = logs.filter(
    ({ id, validity }) => id.equals(logId) && isWithin(validity, time),
  );
  demand(
    candidates.length > 0,
    "TRANSPARENCY_LOG",
    "the entry is in a transparency log that is not trusted, or was not trusted at the time of the entry",
  );
  demand(
    !needsProof || inclusionProof !== undefined,
    "TRANSPARENCY_LOG",
    "the entry has no inclusion proof",
  );
  const bytes = signedEntry(entry);
  const log = candidates.find(({ publicKey }) =>
    verifies(publicKey, hashOf(publicKey), bytes, signedEntryTimestamp),
  );
  demand(log !== undefined, "TRANSPARENCY_LOG", "the log's signature on the entry is wrong");
  if (inclusionProof !== undefined) checkInclusion(body, inclusionProof, log);
  return time;
}

/** True for an entry of Rekor v2, for which its log states no time. */
export function isRekorV2(entry: LogEntry): boolean {
  return within("TRANSPARENCY_LOG", () => readLogBody(entry.body)).kind === rekorV2Kind;
}

/**
 * True for an entry with no other evidence than an inclusion proof: of Rekor v2, or of version 1 without a signed promise, so
 * that its time is not proven.
 */
export const isUndated = (entry: LogEntry): boolean =>
  isRekorV2(entry) ||
  (entry.signedEntryTimestamp === undefined && entry.inclusionProof !== undefined);

/**
 * Verifies that the tree of a trusted log contains an undated entry, and that the entry is for a signature.
 *
 * Everything in an entry of Rekor v2 is verified: with the checkpoint or the proof, or because only one value is allowed.
 *
 * @param times the proven times of the signature; the log must have been trusted at each
 * @see https://github.com/sigstore/rekor-tiles/blob/main/CLIENTS.md
 */
export function checkUndatedEntry(
  entry: LogEntry,
  logged: LoggedSignature,
  logs: readonly TrustedLog[],
  times: readonly Date[],
): void {
  checkInTree(entry, logs, times);
  demand(
    times.length > 0,
    "TIMESTAMP",
    "the time of the signature is not proven: Rekor v2 entries need a timestamp of a trusted authority",
  );
  within("TRANSPARENCY_LOG", () => checkBody(entry.body, logged));
}

/** {@link checkUndatedEntry} for any signature. Without times, the log may be trusted at any time. */
export function checkInTree(
  entry: LogEntry,
  logs: readonly TrustedLog[],
  times: readonly Date[],
): void {
  demand(logs.length > 0, "NO_TRUST", "no transparency log is trusted");
  if (isRekorV2(entry)) checkInRekorV2(entry, logs, times);
  else checkWithoutPromise(entry, logs, times);
}

/** @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_rekor.proto */
function checkWithoutPromise(
  { logId, body, inclusionProof: proof }: LogEntry,
  logs: readonly TrustedLog[],
  times: readonly Date[],
): void {
  const log = logs.find(
    ({ id, publicKey, validity }) =>
      id.equals(logId) &&
      // Logs of version 2 contain no such entries.
      keyIdOf(publicKey).equals(id) &&
      times.every((time) => isWithin(validity, time)),
  );
  demand(
    proof !== undefined && log !== undefined,
    "TRANSPARENCY_LOG",
    "the entry is not signed by the log, and its proof is from a transparency log that was not trusted at the time of the signature",
  );
  checkInclusion(body, proof, log);
}

function checkInRekorV2(
  entry: LogEntry,
  logs: readonly TrustedLog[],
  times: readonly Date[],
): void {
  const { logId, body, inclusionProof: proof, integratedTime, signedEntryTimestamp } = entry;
  demand(proof !== undefined, "TRANSPARENCY_LOG", "the Rekor v2 entry has no inclusion proof");
  demand(
    integratedTime === 0 && signedEntryTimestamp === undefined,
    "TRANSPARENCY_LOG",
    "the Rekor v2 entry has a time, which such entries never have",
  );
  demand(
    proof.logIndex === entry.logIndex,
    "TRANSPARENCY_LOG",
    "the Rekor v2 entry has two different indexes",
  );
  const origin = originOf(proof.checkpoint);
  const known = logs.filter((log) => isLogOf(logId, origin, log));
  demand(
    known.length > 0,
    "TRANSPARENCY_LOG",
    "the Rekor v2 entry is in a transparency log that is not trusted under its name",
  );
  const log = known.find(({ validity }) => times.every((time) => isWithin(validity, time)));
  demand(
    log !== undefined,
    "TRANSPARENCY_LOG",
    "the Rekor v2 entry is in a transparency log that was not trusted at the time of the signature",
  );
  checkInclusion(body, proof, log, logId);
}

/** The trusted log that an entry of any version claims to be in. Verifies nothing. */
export function namedLog(
  { logId, inclusionProof }: LogEntry,
  logs: readonly TrustedLog[],
): TrustedLog | undefined {
  const origin = originOf(inclusionProof?.checkpoint ?? "");
  return logs.find((log) => log.id.equals(logId) || isLogOf(logId, origin, log));
}

/**
 * True if a trusted log has this ID and this origin.
 *
 * A trusted root lists the log with its ID and its URL. A key from a PEM file has no URL, so any origin is accepted.
 */
function isLogOf(id: Buffer, origin: string, log: TrustedLog): boolean {
  if (noteKeyId(origin, log.publicKey)?.equals(id) !== true) return false;
  if (log.baseUrl === undefined) return log.id.equals(id) || keyIdOf(log.publicKey).equals(log.id);
  return log.id.equals(id) && originsOf(log.baseUrl).includes(origin);
}

/** The name of a log is its host, or its URL without the scheme. */
function originsOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { hostname, host, pathname } = new URL(baseUrl);
  return [hostname, host, `${host}${pathname.replace(/\/+$/, "")}`];
}

/** Verifies that an entry is for a signature. @throws VerificationError, JsonError, DerError */
function checkBody(body: Buffer, logged: LoggedSignature): void {
  const entry = readLogBody(body);
  const mustBe = (isSame: boolean, part: string): void => {
    demand(isSame, "TRANSPARENCY_LOG", `the log entry is for another ${part}`);
  };
  mustBe(logged.kinds.includes(entry.kind), `kind (${entry.kind})`);
  mustBe(isHashOf(entry.content, logged), "content");
  mustBe(!isOther(entry.envelopeSha256, logged.envelopeSha256), "envelope");
  mustBe(entry.signature?.equals(logged.signature) !== false, "signature");
  mustBe(isSameVerifier(entry.verifierPem, logged.verifier), "signer");
}

function isHashOf({ of, algorithm, value }: LoggedHash, logged: LoggedSignature): boolean {
  const bytes = of === "payload" ? logged.payload : logged.bytes;
  return createHash(algorithm).update(bytes).digest("hex") === value;
}

/** Compares hashes if both are known. A bundle does not contain the envelope as it was sent to the log. */
function isOther(logged: string | undefined, known: string | undefined): boolean {
  return logged !== undefined && known !== undefined && logged !== known;
}

function isSameVerifier(pem: string, verifier: LoggedSignature["verifier"]): boolean {
  const [label, expected] =
    "certificate" in verifier
      ? (["CERTIFICATE", verifier.certificate] as const)
      : (["PUBLIC KEY", verifier.publicKey] as const);
  const [der, ...others] = fromPem(label, pem);
  return others.length === 0 && der?.equals(expected) === true;
}
