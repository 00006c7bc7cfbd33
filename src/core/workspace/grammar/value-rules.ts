import { stringRule, rule, type ValueRule, problemRule } from "../../schema";

/** A string with at least one character that is not white space. */
export const nonBlankRule = stringRule([[/\S/, "must not be empty or blank"]]);

/** The name of an environment variable, as defined by POSIX. */
export const variableNameRule = stringRule([
  [
    /^[A-Za-z_][A-Za-z\d_]*$/,
    "must start with a letter or an underscore, followed only by letters, digits and underscores",
  ],
]);

/** Creates a rule that limits an integer to a range, including both bounds. */
export function between(least: number, most = Infinity): ValueRule {
  const must = most === Infinity ? `must be at least ${least}` : `must be from ${least} to ${most}`;
  const isWithin = (value: unknown): boolean =>
    (typeof value === "number" || typeof value === "bigint") && value >= least && value <= most;
  return rule(must, (z) => z.unknown().check(z.refine(isWithin, must)), { accepts: isWithin });
}

/** Creates a rule that limits a string to a number of bytes in UTF-8. */
export function maxBytes(limit: number): ValueRule {
  const must = `must be at most ${limit} bytes long in UTF-8`;
  return problemRule(must, (text) => {
    // No UTF-16 code unit takes more than three bytes, so most strings need not be measured.
    if (text.length * 3 <= limit) return undefined;
    const length = Buffer.byteLength(text);
    return length <= limit ? undefined : `${must}, not ${length}`;
  });
}
