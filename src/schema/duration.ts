import { rule } from "./value-rule";

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;

/**
 * Reads a positive duration as Terraform writes it (`1h30m`, `90s`, `1.5h`).
 *
 * @returns milliseconds, or undefined when the text is none
 */
export function parseDuration(text: string): number | undefined {
  let ms = 0;
  let end = 0;
  for (const [matched, amount, unit] of text.matchAll(part)) {
    ms += Number(amount) * (unitMs[unit ?? ""] ?? Number.NaN);
    end += matched.length;
  }
  return end === text.length && end > 0 && ms > 0 && Number.isFinite(ms) ? ms : undefined;
}

const wordsMs = [
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
  ["millisecond", 1],
] as const;

/** Whole milliseconds as a person writes them: `1 hour 30 minutes`. */
export function durationWords(ms: number): string {
  let rest = ms;
  const parts: string[] = [];
  for (const [word, size] of wordsMs) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${word}${count === 1 ? "" : "s"}`);
  }
  return parts.join(" ");
}

/** A text must be a duration such as `90s` or `1h30m`, longer than nothing. */
export const durationRule = rule(
  "must be a duration longer than zero, such as `90s` or `1h30m`",
  (z) =>
    z.string().check(
      z.refine((text) => parseDuration(text) !== undefined, {
        error: 'must be a duration longer than zero, such as "90s" or "1h30m"',
      }),
    ),
);
