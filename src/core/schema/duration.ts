import { problemRule } from "./value-rule";

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

const part = new RegExp(String.raw`(\d+(?:\.\d*)?|\.\d+)(${Object.keys(unitMs).join("|")})`, "gy");

/**
 * Parses a positive duration in Go's format, as Terraform's `timeouts` blocks use it (`1h30m`, `90s`, `1.5h`).
 *
 * @see https://pkg.go.dev/time#ParseDuration
 *
 * @returns milliseconds, or undefined if the string is not a duration
 */
export function parseDuration(value: string): number | undefined {
  let ms = 0;
  let end = 0;
  for (const [matched, amount, unit] of value.matchAll(part)) {
    ms += Number(amount) * (unitMs[unit ?? ""] ?? Number.NaN);
    end += matched.length;
  }
  return end === value.length && end > 0 && ms > 0 && Number.isFinite(ms) ? ms : undefined;
}

const unitNamesMs = [
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
  ["millisecond", 1],
] as const;

/** Formats whole milliseconds for people: `1 hour 30 minutes`. */
export function formatDuration(ms: number): string {
  let rest = ms;
  const parts: string[] = [];
  for (const [name, size] of unitNamesMs) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
  }
  return parts.join(" ");
}

/** A string must be a positive duration such as `90s` or `1h30m`. */
export const durationRule = problemRule(
  "must be a duration longer than zero, such as `90s` or `1h30m`",
  (text) =>
    parseDuration(text) === undefined
      ? 'must be a duration longer than zero, such as "90s" or "1h30m"'
      : undefined,
);
