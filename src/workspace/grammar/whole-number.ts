import { rule, type ValueRule } from "../../schema";

/** Creates a rule that limits an integer to a range, including both bounds. */
export function between(least: number, most = Infinity): ValueRule {
  const must = most === Infinity ? `must be at least ${least}` : `must be from ${least} to ${most}`;
  const isWithin = (value: unknown): boolean =>
    (typeof value === "number" || typeof value === "bigint") && value >= least && value <= most;
  return rule(must, (z) => z.unknown().check(z.refine(isWithin, must)), { accepts: isWithin });
}
