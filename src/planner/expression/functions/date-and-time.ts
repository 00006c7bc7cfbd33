import { decimalParts } from "../binary-float";
import type { TerraformFunction } from "../function";
import { parseNumber } from "../../../core/provider-kit/values";
import { EvaluationError, NotComputed, Value } from "../value";
import { ofStrings, stringOf } from "./arguments";
import {
  localDate,
  offsetText,
  padded,
  parseTimestamp,
  type Timestamp,
  timestampText,
  zoneText,
} from "./timestamp";

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

/** All sequences of letters that a format can contain. */
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
    if (token === "'") throw new EvaluationError("A quotation in the format does not end.");
    if (token === "''") return "'";
    if (literal !== undefined) return literal.replaceAll("''", "'");
    const formatter = Object.hasOwn(sequences, token) ? sequences[token] : undefined;
    if (formatter === undefined) throw new EvaluationError("The format has an unknown sequence.");
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
    if (match === null) throw new EvaluationError("This is no duration.");
    const { digits, places } = decimalParts(parseNumber(match[1] ?? "0"));
    const scaled = digits * (unitNanoseconds[match[2] ?? ""] ?? 0n);
    const unit = 10n ** BigInt(places);
    // Go rounds parts of a nanosecond in a way of its own.
    if (scaled % unit !== 0n) throw new NotComputed();
    total += scaled / unit;
  }
  if (magnitude === "") throw new EvaluationError("This is no duration.");
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
