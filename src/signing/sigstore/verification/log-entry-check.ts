import { createHash } from "node:crypto";
import { hashOf, verifies } from "../certificate/public-key";
import { fromPem } from "../der/pem";
import { readLogBody, type LogBody, type LoggedHash } from "../format/log-body";
import { signedEntry, type InclusionProof, type LogEntry, rekorV2Kind } from "../format/log-entry";
import { isWithin, type TrustedLog } from "../trust/trust-material";
import { readCheckpoint, type Checkpoint, rootFrom, noteKeyId, originOf } from "./checkpoint";
import { VerificationError, within } from "./verification";

/** The signature that a log entry must be about. */
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

/** What a log entry must contain. */
export interface LogEntryDemands {
  /** Whether an inclusion proof is required, as in bundles. */
  readonly proof: "required" | "optional";
}

/**
 * Verifies that a trusted log contains an entry, and that the entry is about a signature.
 *
 * @returns the time at which the log added the entry, which is covered by the signed entry timestamp
 * @throws VerificationError
 * @see https://docs.sigstore.dev/logging/overview/
 */
export function checkLogEntry(
  entry: LogEntry,
  logged: LoggedSignature,
  logs: readonly TrustedLog[],
  { proof }: LogEntryDemands,
): Date {
  if (logs.length === 0) {
    throw new VerificationError("NO_TRUST", "no transparency log is trusted");
  }
  const time = new Date(entry.integratedTime * 1000);
  const candidates = logs.filter(
    ({ id, validity }) => id.equals(entry.logId) && isWithin(validity, time),
  );
  if (candidates.length === 0) {
    throw new VerificationError(
      "TRANSPARENCY_LOG",
      "the entry is in a transparency log that is not trusted, or was not trusted at the time of the entry",
    );
  }
  if (entry.signedEntryTimestamp === undefined) {
    throw new VerificationError("TRANSPARENCY_LOG", "the entry is not signed by the log");
  }
  if (proof === "required" && entry.inclusionProof === undefined) {
    throw new VerificationError("TRANSPARENCY_LOG", "the entry has no inclusion proof");
  }
  const { signedEntryTimestamp } = entry;
  const bytes = signedEntry(entry);
  const log = candidates.find(({ publicKey }) =>
    verifies(publicKey, hashOf(publicKey), bytes, signedEntryTimestamp),
  );
  if (log === undefined) {
    throw new VerificationError("TRANSPARENCY_LOG", "the log's signature on the entry is wrong");
  }
  checkInclusion(entry, log);
  within("TRANSPARENCY_LOG", () => checkBody(entry.body, logged));
  return time;
}

function checkInclusion({ inclusionProof, body }: LogEntry, log: TrustedLog): void {
  if (inclusionProof === undefined) return;
  checkTree(body, inclusionProof, readCheckpoint(inclusionProof.checkpoint, log));
}

/**
 * Verifies that the tree of a verified checkpoint contains an entry.
 *
 * @throws VerificationError
 */
export function checkTree(body: Buffer, proof: InclusionProof, signed: Checkpoint): void {
  const { logIndex: index, treeSize, rootHash, hashes } = proof;
  const root = rootFrom({ body, index, treeSize, hashes });
  if (
    signed.treeSize !== treeSize ||
    !signed.rootHash.equals(rootHash) ||
    root?.equals(rootHash) !== true
  ) {
    throw new VerificationError("TRANSPARENCY_LOG", "the log's inclusion proof is wrong");
  }
}

/**
 * Verifies that an entry is about a signature.
 *
 * @throws VerificationError, JsonError, DerError
 */
export function checkBody(body: Buffer, logged: LoggedSignature): void {
  const entry = readLogBody(body);
  const mustBe = (isSame: boolean, part: string): void => {
    if (isSame) return;
    throw new VerificationError("TRANSPARENCY_LOG", `the log entry is for another ${part}`);
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

/** Compares hashes if both are known. Bundles encode the envelope differently from what was sent to the log. */
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

/** Whether an entry is one of Rekor v2: its log states no time for it. */
export function isRekorV2(entry: LogEntry): boolean {
  return within("TRANSPARENCY_LOG", () => readLogBody(entry.body)).kind === rekorV2Kind;
}

/**
 * Verifies that a trusted log of version 2 contains an entry, and that the entry is about a signature.
 *
 * Everything in the entry is covered: by the checkpoint, by the proof, or because only one value is allowed.
 *
 * @param times the proven times of the signature; the log must have been trusted at each
 * @throws VerificationError
 * @see https://github.com/sigstore/rekor-tiles/blob/main/CLIENTS.md
 */
export function checkRekorV2Entry(
  entry: LogEntry,
  logged: LoggedSignature,
  logs: readonly TrustedLog[],
  times: readonly Date[],
): void {
  if (logs.length === 0) throw refused("NO_TRUST", "no transparency log is trusted");
  const { inclusionProof: proof, integratedTime, signedEntryTimestamp } = entry;
  if (proof === undefined) {
    throw refused("TRANSPARENCY_LOG", "the Rekor v2 entry has no inclusion proof");
  }
  if (times.length === 0) {
    throw refused(
      "TIMESTAMP",
      "the time of the signature is not proven: Rekor v2 entries need a timestamp of a trusted authority",
    );
  }
  if (integratedTime !== 0 || signedEntryTimestamp !== undefined) {
    throw refused(
      "TRANSPARENCY_LOG",
      "the Rekor v2 entry has a time, which such entries never have",
    );
  }
  if (proof.logIndex !== entry.logIndex) {
    throw refused("TRANSPARENCY_LOG", "the Rekor v2 entry has two different indexes");
  }
  const origin = originOf(proof.checkpoint);
  const known = logs.filter((log) => isLogOf(entry.logId, origin, log));
  const log = known.find(({ validity }) => times.every((time) => isWithin(validity, time)));
  if (log === undefined) {
    throw refused(
      "TRANSPARENCY_LOG",
      known.length === 0
        ? "the Rekor v2 entry is in a transparency log that is not trusted under its name"
        : "the Rekor v2 entry is in a transparency log that was not trusted at the time of the signature",
    );
  }
  checkTree(entry.body, proof, readCheckpoint(proof.checkpoint, log, entry.logId));
  within("TRANSPARENCY_LOG", () => checkBody(entry.body, logged));
}

/** Whether an entry, of any version, states that it is in a trusted log. Verifies nothing. */
export function namesTrustedLog(entry: LogEntry, logs: readonly TrustedLog[]): boolean {
  const { logId, inclusionProof } = entry;
  const origin = originOf(inclusionProof?.checkpoint ?? "");
  return logs.some((log) => log.id.equals(logId) || isLogOf(logId, origin, log));
}

/**
 * Whether a trusted log has this ID and this origin.
 *
 * A trusted root lists the log with its ID and its URL. If only a key is trusted, the origin is any.
 */
function isLogOf(id: Buffer, origin: string, log: TrustedLog): boolean {
  if (noteKeyId(origin, log.publicKey)?.equals(id) !== true) return false;
  if (log.baseUrl === undefined) return log.id.equals(id) || isKeyOnly(log);
  return log.id.equals(id) && originsOf(log.baseUrl).includes(origin);
}

/** Whether the log comes from a PEM file, where it has no name of its own. */
function isKeyOnly({ id, publicKey }: TrustedLog): boolean {
  const spki = publicKey.export({ format: "der", type: "spki" });
  return createHash("sha256").update(spki).digest().equals(id);
}

/** The name of a log is its host, or its URL without the scheme. */
function originsOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { hostname, host, pathname } = new URL(baseUrl);
  return [hostname, host, `${host}${pathname.replace(/\/+$/, "")}`];
}

const refused = (code: "NO_TRUST" | "TIMESTAMP" | "TRANSPARENCY_LOG", problem: string) =>
  new VerificationError(code, problem);
