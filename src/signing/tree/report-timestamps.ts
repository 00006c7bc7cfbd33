import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { SignedContent } from "../sigstore/verification/signed-content";
import { checkTimestamp } from "../sigstore/verification/timestamp-check";
import { readTimestamp } from "../sigstore/verification/timestamp-token";
import { attempt } from "../sigstore/verification/verification";
import type { CheckReport, TimestampReport } from "./image-tree";
import { problemReport, unchecked, verified } from "./report-check";

interface ReportedTimestamps {
  readonly timestamps: readonly TimestampReport[];
  /** Those of trusted authorities. */
  readonly times: readonly Date[];
}

// Verification refuses a signature with more.
const maxTimestamps = 5;

/** Describes and checks the timestamps of a signature (RFC 3161). */
export function reportTimestamps(
  content: SignedContent,
  trust: TrustMaterial | undefined,
): ReportedTimestamps {
  const found = content.timestamps.slice(0, maxTimestamps).map((response) => {
    const read = attempt(() => readTimestamp(response).time);
    const time = read instanceof Date ? read : undefined;
    return { time, check: checkOf(response, content, trust) };
  });
  return {
    timestamps: found.map(({ time, check }) => ({
      ...(time && { time: time.toISOString() }),
      check,
    })),
    times: found.flatMap(({ time, check }) => (time && check.result === "verified" ? [time] : [])),
  };
}

function checkOf(
  response: Buffer,
  { signature, stamped = [signature] }: SignedContent,
  trust: TrustMaterial | undefined,
): CheckReport {
  if (trust === undefined) return unchecked("the trusted root could not be loaded");
  const result = attempt(() => checkTimestamp(response, stamped, trust.timestampAuthorities));
  if ("problem" in result) return problemReport(result);
  return "unlisted" in result ? unchecked(result.unlisted) : verified;
}
