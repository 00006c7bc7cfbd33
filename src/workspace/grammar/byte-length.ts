import { problemRule, type ValueRule } from "../../schema";

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
