import { parseNumber } from "../../../core/provider-kit/values";
import { decimalParts } from "../binary-float";
import type { TerraformFunction } from "../function";
import { EvaluationError, NotComputed, Value } from "../value";
import { ofStrings, stringOf } from "./arguments";

const months =
  "January February March April May June July August September October November December".split(
    " ",
  );
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

type Formatter = (date: Date, timestamp: Timestamp) => string;

const named =
  (names: readonly string[], index: (date: Date) => number, length?: number): Formatter =>
  (date) =>
    (names[index(date)] ?? "").slice(0, length);

const counted =
  (count: (date: Date) => number, width: number): Formatter =>
  (date) =>
    padded(count(date), width);

const month = (date: Date): number => date.getUTCMonth();
const weekday = (date: Date): number => date.getUTCDay();
const hour = (date: Date): number => date.getUTCHours();
const halfDay = (date: Date): number => hour(date) % 12 || 12;
const day = (date: Date): number => date.getUTCDate();
const minute = (date: Date): number => date.getUTCMinutes();
const second = (date: Date): number => date.getUTCSeconds();

/** The letter sequences that a format can contain. */
const sequences: Readonly<Record<string, Formatter>> = {
  YY: counted((date) => date.getUTCFullYear() % 100, 2),
  YYYY: counted((date) => date.getUTCFullYear(), 4),
  M: counted((date) => month(date) + 1, 1),
  MM: counted((date) => month(date) + 1, 2),
  MMM: named(months, month, 3),
  MMMM: named(months, month),
  D: counted(day, 1),
  DD: counted(day, 2),
  EEE: named(weekdays, weekday, 3),
  EEEE: named(weekdays, weekday),
  h: counted(hour, 1),
  hh: counted(hour, 2),
  H: counted(halfDay, 1),
  HH: counted(halfDay, 2),
  AA: (date) => (hour(date) < 12 ? "AM" : "PM"),
  aa: (date) => (hour(date) < 12 ? "am" : "pm"),
  m: counted(minute, 1),
  mm: counted(minute, 2),
  s: counted(second, 1),
  ss: counted(second, 2),
  Z: (_, timestamp) => zoneText(timestamp),
  ZZZ: (_, timestamp) => (timestamp.offsetMinutes === 0 ? "UTC" : offsetText(timestamp, "")),
  ZZZZ: (_, timestamp) => offsetText(timestamp, ""),
  ZZZZZ: (_, timestamp) => offsetText(timestamp, ":"),
};

function formatDate(format: string, timestamp: Timestamp): string {
  const date = localDate(timestamp);
  return format.replace(/''|'((?:[^']|'')*)'|'|([A-Za-z])\2*/g, (token, literal?: string) => {
    if (token === "'") throw new EvaluationError("The format has a single quote without an end.");
    if (token === "''") return "'";
    if (literal !== undefined) return literal.replaceAll("''", "'");
    const formatter = Object.hasOwn(sequences, token) ? sequences[token] : undefined;
    if (formatter === undefined)
      throw new EvaluationError("The format has an unknown sequence of letters.");
    return formatter(date, timestamp);
  });
}

const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  "\u00b5s": 1_000n,
  "\u03bcs": 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const durationPart = /(\d{1,20}\.?\d{0,30}|\.\d{1,30})(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** A duration as Go writes it, such as `1h30m`, in nanoseconds. */
function parseDuration(text: string): bigint {
  const magnitude = text.replace(/^[+-]/, "");
  if (magnitude === "0") return 0n;
  let total = 0n;
  durationPart.lastIndex = 0;
  while (durationPart.lastIndex < magnitude.length) {
    const match = durationPart.exec(magnitude);
    if (match === null)
      throw new EvaluationError(
        "The duration is invalid. Write a number and a unit, such as 1h30m.",
      );
    const { digits, places } = decimalParts(parseNumber(match[1] ?? "0"));
    const scaled = digits * (unitNanoseconds[match[2] ?? ""] ?? 0n);
    const unit = 10n ** BigInt(places);
    // Go rounds fractions of a nanosecond.
    if (scaled % unit !== 0n) throw new NotComputed();
    total += scaled / unit;
  }
  if (magnitude === "")
    throw new EvaluationError("The duration is invalid. Write a number and a unit, such as 1h30m.");
  if (total >= 1n << 63n) throw new EvaluationError("The duration is too long.");
  return text.startsWith("-") ? -total : total;
}

function compare(a: Timestamp, b: Timestamp): number {
  if (a.nanoseconds === b.nanoseconds) return 0;
  return a.nanoseconds < b.nanoseconds ? -1 : 1;
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/formatdate} and its neighbours */
export const dateFunctions: Readonly<Record<string, TerraformFunction>> = {
  formatdate: ofStrings(["format", "time"], "string", (format = "", time = "") =>
    stringOf(formatDate(format, parseTimestamp(time))),
  ),
  timeadd: ofStrings(["timestamp", "duration"], "string", (time = "", duration = "") => {
    const { nanoseconds, offsetMinutes } = parseTimestamp(time);
    const moved = nanoseconds + parseDuration(duration);
    return stringOf(timestampText({ nanoseconds: moved, offsetMinutes }));
  }),
  timecmp: ofStrings(["timestamp_a", "timestamp_b"], "number", (a = "", b = "") =>
    Value.number(compare(parseTimestamp(a), parseTimestamp(b))),
  ),
};

/** A moment, and the offset from UTC with which it was written. */
interface Timestamp {
  /** Nanoseconds since 1970, in UTC. */
  readonly nanoseconds: bigint;
  readonly offsetMinutes: number;
}

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

const invalid = (): EvaluationError =>
  new EvaluationError(
    "The timestamp is not in the form of RFC 3339, such as 2026-01-31T12:00:00Z.",
  );

/** Timestamps that Go accepts, although they violate RFC 3339. */
const lenient = /^\d{4}-\d\d-\d\dT\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** @throws EvaluationError when the text is not a timestamp of RFC 3339 */
function parseTimestamp(text: string): Timestamp {
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

/** The local time of a timestamp, as a date in UTC. */
function localDate({ nanoseconds, offsetMinutes }: Timestamp): Date {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = Number((nanoseconds - rest) / 1_000_000_000n);
  const date = new Date((seconds + offsetMinutes * 60) * 1000);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999) throw new NotComputed();
  return date;
}

const padded = (value: number, width: number): string => String(value).padStart(width, "0");

/** The offset from UTC, with a separator between hours and minutes. */
function offsetText({ offsetMinutes }: Timestamp, separator: string): string {
  const total = Math.abs(offsetMinutes);
  const sign = offsetMinutes < 0 ? "-" : "+";
  return `${sign}${padded(Math.floor(total / 60), 2)}${separator}${padded(total % 60, 2)}`;
}

const zoneText = (timestamp: Timestamp): string =>
  timestamp.offsetMinutes === 0 ? "Z" : offsetText(timestamp, ":");

/** Writes a timestamp in RFC 3339, without fractions of a second. */
const timestampText = (timestamp: Timestamp): string =>
  localDate(timestamp).toISOString().slice(0, 19) + zoneText(timestamp);
