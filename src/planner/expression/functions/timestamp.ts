import { EvaluationError, NotComputed } from "../value";

/** A moment, and the offset from UTC with which it was written. */
export interface Timestamp {
  /** Nanoseconds since 1970, in UTC. */
  readonly nanoseconds: bigint;
  readonly offsetMinutes: number;
}

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

const invalid = (): EvaluationError => new EvaluationError("This is no timestamp of RFC 3339.");

/** Timestamps that Go reads although RFC 3339 has no such ones. */
const lenient = /^\d{4}-\d\d-\d\dT\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** @throws EvaluationError when the text is no timestamp of RFC 3339 */
export function parseTimestamp(text: string): Timestamp {
  const match = form.exec(text);
  if (match === null) throw lenient.test(text) ? new NotComputed() : invalid();
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const [, , , , , , , fraction = "", sign, hours = "0", minutes = "0"] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  if (Number(hours) > 23 || Number(minutes) > 59) throw new NotComputed();
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || hour > 23 || minute > 59 || second > 59) throw invalid();
  const offsetMinutes = sign === "-" ? -offset : offset;
  const seconds = date.getTime() / 1000 + (hour * 60 + minute - offsetMinutes) * 60 + second;
  return {
    nanoseconds: BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, "0")),
    offsetMinutes,
  };
}

/** The moment in its own time zone, as if that was UTC. */
export function localDate({ nanoseconds, offsetMinutes }: Timestamp): Date {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = Number((nanoseconds - rest) / 1_000_000_000n);
  const date = new Date((seconds + offsetMinutes * 60) * 1000);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999) throw new NotComputed();
  return date;
}

export const padded = (value: number, width: number): string => String(value).padStart(width, "0");

/** The offset from UTC, with a separator between hours and minutes. */
export function offsetText({ offsetMinutes }: Timestamp, separator: string): string {
  const total = Math.abs(offsetMinutes);
  const sign = offsetMinutes < 0 ? "-" : "+";
  return `${sign}${padded(Math.floor(total / 60), 2)}${separator}${padded(total % 60, 2)}`;
}

/** The zone as RFC 3339 writes it. */
export const zoneText = (timestamp: Timestamp): string =>
  timestamp.offsetMinutes === 0 ? "Z" : offsetText(timestamp, ":");

/** Writes a timestamp in RFC 3339, without fractions of a second. */
export const timestampText = (timestamp: Timestamp): string =>
  localDate(timestamp).toISOString().slice(0, 19) + zoneText(timestamp);
