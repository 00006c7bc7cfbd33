import { rule, type ValueRule } from "../../schema";

/** A rule that limits a string to a number of bytes in UTF-8. */
export function maxBytes(limit: number): ValueRule {
  const must = `must be at most ${limit} bytes long in UTF-8`;
  return rule(must, (z) =>
    z.string().check(({ value, issues }) => {
      // No UTF-16 code unit takes more than three bytes, so most strings need not be measured.
      if (value.length * 3 <= limit) return;
      const length = Buffer.byteLength(value);
      if (length <= limit) return;
      issues.push({ code: "custom", input: value, message: `${must}, not ${length}` });
    }),
  );
}
