import { rule, type ValueRule } from "../../schema";

/** A rule that limits an integer to a range, both bounds included. */
export function between(least: number, most = Infinity): ValueRule {
  const must = most === Infinity ? `must be at least ${least}` : `must be from ${least} to ${most}`;
  return rule(must, (z) =>
    z.unknown().check(({ value, issues }) => {
      const isWithin =
        (typeof value === "number" || typeof value === "bigint") && value >= least && value <= most;
      if (!isWithin) issues.push({ code: "custom", input: value, message: must });
    }),
  );
}
