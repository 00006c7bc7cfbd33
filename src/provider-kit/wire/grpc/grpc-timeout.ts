const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** The longest delay that a timer of Node.js supports. */
const longestMs = 2 ** 31 - 1;

/**
 * Parses a `grpc-timeout` header: at most eight digits and a unit.
 *
 * @returns milliseconds, rounded up; undefined without a header; "malformed" for an invalid one
 */
export function parseTimeout(header: string | undefined): number | undefined | "malformed" {
  if (header === undefined) return undefined;
  const match = /^(\d{1,8})([HMSmun])$/.exec(header);
  const unit = unitMs[match?.[2] ?? ""];
  if (unit === undefined) return "malformed";
  return Math.min(longestMs, Math.ceil(Number(match?.[1]) * unit));
}
