import { serverMessage } from "../../http/server-message";
import { readLogBody } from "../sigstore/format/log-body";
import type { InclusionProof, LogEntry } from "../sigstore/format/log-entry";
import { type TrustMaterial, urlOf } from "../sigstore/trust/trust-material";
import { originOf } from "../sigstore/verification/inclusion-proof";
import {
  checkInLog,
  checkInTree,
  isUndated,
  namedLog,
} from "../sigstore/verification/log-entry-check";
import { attempt } from "../sigstore/verification/verification";
import type { CheckReport, InclusionReport, LogEntryReport } from "./image-tree";
import { problemReport, unchecked, verified } from "./report-check";

/**
 * Describes an entry of a transparency log, and checks the log's signatures and the inclusion proof. What the entry is about
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
    check: checkOf(entry, trust, times),
  };
}

function checkOf(
  entry: LogEntry,
  trust: TrustMaterial | undefined,
  times: readonly Date[],
): CheckReport {
  if (trust === undefined) return unchecked("the trusted root is not known");
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

/** The log chooses the number, which may be too large for a date. */
function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? "invalid" : time.toISOString();
}
