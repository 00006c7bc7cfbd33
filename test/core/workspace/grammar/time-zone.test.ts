import {
  isTimeZone,
  timeZoneRule,
  zoneAliases,
} from "../../../../src/core/workspace/grammar/time-zone";
import { findings } from "./findings";

test.each([
  "",
  "UTC",
  "Local",
  "Europe/Paris",
  "America/Argentina/Buenos_Aires",
  "Etc/GMT+5",
  // Runtimes list one name of each of these pairs, and not all the same one.
  "Asia/Calcutta",
  "Asia/Kolkata",
  "Europe/Kiev",
  "Europe/Kyiv",
  "America/Buenos_Aires",
  "US/Pacific",
  "GB",
  "EST5EDT",
  "Etc/UTC",
  "Zulu",
  "W-SU",
  "NZ-CHAT",
])("accepts %j", (text) => {
  expect(findings(timeZoneRule, text)).toEqual([]);
});

test.each([
  "europe/paris",
  "EUROPE/PARIS",
  "utc",
  "local",
  "us/pacific",
  "Etc/gmt+5",
  "../Europe/Paris",
  "Europe/../Europe/Paris",
  "/Europe/Paris",
  "posix/Europe/Paris",
  "Europe",
  "Europe/",
  "Europe/Paris ",
  "Mars/Base",
  "+01:00",
  "CEST",
  "Europe\\Paris",
  "Factory",
  "__proto__",
])("refuses %j", (text) => {
  expect(findings(timeZoneRule, text)).toEqual([
    "must be an IANA time zone with the correct case, such as Europe/Paris, or UTC",
  ]);
});

test("accepts every zone that the runtime lists", () => {
  expect(Intl.supportedValuesOf("timeZone").filter((zone) => !isTimeZone(zone))).toEqual([]);
});

test("has no alias that the runtime does not know", () => {
  const unknown = zoneAliases.filter((timeZone) => {
    try {
      new Intl.DateTimeFormat("en", { timeZone });
      return false;
    } catch {
      return true;
    }
  });
  expect(unknown).toEqual([]);
  expect(new Set(zoneAliases).size).toBe(zoneAliases.length);
});
