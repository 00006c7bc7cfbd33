import { serverMessage } from "../../http/server-message";
import { readLogBody } from "../sigstore/format/log-body";
import type { InclusionProof, LogEntry } from "../sigstore/format/log-entry";
import { type TrustMaterial, urlOf } from "../sigstore/trust/trusted-root";
import { originOf } from "../sigstore/verification/inclusion-proof";
import {
  checkInLog,
  checkInTree,
  isUndated,
  namedLog,
} from "../sigstore/verification/log-entry-check";
import type { SignedContent } from "../sigstore/verification/signed-content";
import { checkTimestamp } from "../sigstore/verification/timestamp-check";
import { readTimestamp } from "../sigstore/verification/timestamp-token";
import { attempt, type VerificationProblem } from "../sigstore/verification/verification";
import type { CheckReport, InclusionReport, LogEntryReport, TimestampReport } from "./image-tree";

/**
 * Describes an entry of a transparency log, and checks the log's signatures and the inclusion proof. The content of the entry
 * is checked with the signature.
 *
 * @param trust undefined if it could not be loaded
 * @param times the proven times of the signature. @default the log may be trusted at any time
 */
export function reportLogEntry(
  entry: LogEntry,
  trust: TrustMaterial | undefined,
  times: readonly Date[] = [],
): LogEntryReport {
  const { logId, logIndex, integratedTime, body, signedEntryTimestamp, inclusionProof } = entry;
  const read = attempt(() => readLogBody(body));
  const log = trust && namedLog(entry, trust.transparencyLogs);
  const url = log && urlOf(log);
  return {
    logId: logId.toString("hex"),
    ...(url !== undefined && { url }),
    index: logIndex,
    ...("kind" in read && { kind: read.kind }),
    ...(integratedTime !== 0 && signedEntryTimestamp && { time: timeOf(integratedTime) }),
    hasPromise: signedEntryTimestamp !== undefined,
    ...(inclusionProof && { proof: reportProof(inclusionProof) }),
    check: checkEntry(entry, trust, times),
  };
}

function checkEntry(
  entry: LogEntry,
  trust: TrustMaterial | undefined,
  times: readonly Date[],
): CheckReport {
  if (trust === undefined) return notLoaded;
  const { transparencyLogs: logs } = trust;
  const problem = attempt(() => {
    if (isUndated(entry)) checkInTree(entry, logs, times);
    else checkInLog(entry, logs, false);
    return undefined;
  });
  return problem === undefined ? verified : problemReport(problem);
}

function reportProof(proof: InclusionProof): InclusionReport {
  return {
    index: proof.logIndex,
    treeSize: proof.treeSize,
    rootHash: proof.rootHash.toString("hex"),
    hashes: proof.hashes.length,
    origin: serverMessage(originOf(proof.checkpoint)),
  };
}

/** Any server can write the number, which may be too large for a date. */
function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? "invalid" : time.toISOString();
}

// Verification refuses a signature with more.
const maxTimestamps = 5;

/** Describes and checks the timestamps of a signature (RFC 3161). @returns also the times that are verified */
export function reportTimestamps(
  content: SignedContent,
  trust: TrustMaterial | undefined,
): { readonly timestamps: readonly TimestampReport[]; readonly times: readonly Date[] } {
  const found = content.timestamps.slice(0, maxTimestamps).map((response) => {
    const read = attempt(() => readTimestamp(response).time);
    const time = read instanceof Date ? read : undefined;
    return { time, check: checkStamp(response, content, trust) };
  });
  return {
    timestamps: found.map(({ time, check }) => ({
      ...(time && { time: time.toISOString() }),
      check,
    })),
    times: found.flatMap(({ time, check }) => (time && check.result === "verified" ? [time] : [])),
  };
}

function checkStamp(
  response: Buffer,
  { signature, stamped = [signature] }: SignedContent,
  trust: TrustMaterial | undefined,
): CheckReport {
  if (trust === undefined) return notLoaded;
  const result = attempt(() => checkTimestamp(response, stamped, trust.timestampAuthorities));
  if ("problem" in result) return problemReport(result);
  return "unlisted" in result ? unchecked(result.unlisted) : verified;
}

/** Reports a problem. If the trusted root lacks something, the signature is not at fault. */
export function problemReport({ code, problem }: VerificationProblem): CheckReport {
  const result = code === "NO_TRUST" ? "unchecked" : "refused";
  return { result, code, problem: serverMessage(problem) };
}

export const unchecked = (problem: string): CheckReport => ({
  result: "unchecked",
  problem: serverMessage(problem),
});

const notLoaded = unchecked("the trusted root could not be loaded");

export const verified: CheckReport = { result: "verified" };
