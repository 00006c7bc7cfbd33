import { createHash } from "node:crypto";
import { readLogBody } from "../format/log-body";
import { rekorV2Kind, type LogEntry } from "../format/log-entry";
import { isWithin, type TrustedLog } from "../trust/trust-material";
import { noteKeyId, originOf, readCheckpoint } from "./checkpoint";
import { checkBody, checkTree, type LoggedSignature } from "./log-entry-check";
import { VerificationError, within } from "./verification-error";

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
