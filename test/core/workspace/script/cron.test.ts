import { isCrontabLine, scriptCronRule } from "../../../../src/core/workspace/script/declare";
import { findings } from "../grammar/findings";

test.each([
  "* * * * * *",
  "0 0 22 * * *",
  "0 0 22 * *",
  "0 30 8 1 jan mon-fri",
  "*/5 * * ? * ?",
  " 0\t0  0 1 1 0 ",
  "@hourly",
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@every 5m",
  "@every 1h30m10.5s",
  "TZ=Europe/Paris 0 0 22 * * *",
  "CRON_TZ=UTC 0 0 22 * *",
  "CRON_TZ=Asia/Kolkata @daily",
  "TZ= 0 0 22 * * *",
])("accepts %j", (text) => {
  expect(findings(scriptCronRule, text)).toEqual([]);
});

const zone = "must have an IANA time zone with the correct case in its TZ= prefix";
const invalid =
  "must be one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or @every if it begins with @";
const every = "must have a duration such as 1h30m after @every";

test.each([
  ["", "must have five or six fields, starting with seconds, not 0"],
  ["* * * *", "must have five or six fields, starting with seconds, not 4"],
  ["* * * * * * *", "must have five or six fields, starting with seconds, not 7"],
  ["60 * * * * *", "must be a cron expression that starts with seconds: 60 is not a valid second"],
  [
    "0 22 1-5 * MON",
    "must be a cron expression that starts with seconds: MON is not a valid month",
  ],
  ["0 0 24 * * *", "must be a cron expression that starts with seconds: 24 is not a valid hour"],
  [
    "0 0 0 L * *",
    "must be a cron expression that starts with seconds: L is not a valid day of the month",
  ],
  ["0 0 0 * * 7", "must be a cron expression that starts with seconds: 7 is not a valid weekday"],
  [
    "0 */0 0 * * *",
    "must be a cron expression that starts with seconds: */0 is not a valid minute",
  ],
  ["@reboot", invalid],
  ["@Hourly", invalid],
  ["@every", invalid],
  ["@", invalid],
  ["@every x", every],
  ["@every 5", every],
  ["@every -5m", every],
  ["@every 99999999h", every],
  ["TZ=Mars/Base * * * * * *", zone],
  ["TZ=europe/paris * * * * * *", zone],
  ["TZ=UTC", "must have five or six fields, starting with seconds, not 1"],
])("refuses %j", (text, problem) => {
  expect(findings(scriptCronRule, text)).toEqual([problem]);
});

test.each([
  "0 22 * * 1-5",
  "0 22 * * MON",
  "*/5 * * * *",
  "0 0 * * 7",
  "TZ=UTC 0 22 * * 1",
  "0 0 22 * *",
])("%j is also a crontab line", (text) => expect(isCrontabLine(text)).toBe(true));

test.each(["0 0 22 * * *", "@hourly", "", "0 22 * * 8", "30 59 23 31 12"])(
  "%j is not a crontab line",
  (text) => expect(isCrontabLine(text)).toBe(false),
);

test("long strings do not stall", () => {
  expect(findings(scriptCronRule, `@every ${"1".repeat(100_000)}`)).toEqual([every]);
  expect(findings(scriptCronRule, "1,".repeat(50_000))).toHaveLength(1);
});
