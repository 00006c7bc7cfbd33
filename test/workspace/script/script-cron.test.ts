import { isCrontabLine, scriptCronRule } from "../../../src/workspace/script/script-cron";
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
])("takes %j", (text) => {
  expect(findings(scriptCronRule, text)).toEqual([]);
});

const zone = "must name an IANA time zone in its TZ= prefix, in the right letter case";
const words =
  "must be one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or @every where it begins with @";
const every = "must have a duration such as 1h30m after @every";

test.each([
  ["", "must have five or six fields, seconds first, not 0"],
  ["* * * *", "must have five or six fields, seconds first, not 4"],
  ["* * * * * * *", "must have five or six fields, seconds first, not 7"],
  ["60 * * * * *", "must be a cron text, seconds first: 60 is no second"],
  ["0 22 1-5 * MON", "must be a cron text, seconds first: MON is no month"],
  ["0 0 24 * * *", "must be a cron text, seconds first: 24 is no hour"],
  ["0 0 0 L * *", "must be a cron text, seconds first: L is no day of the month"],
  ["0 0 0 * * 7", "must be a cron text, seconds first: 7 is no weekday"],
  ["0 */0 0 * * *", "must be a cron text, seconds first: */0 is no minute"],
  ["@reboot", words],
  ["@Hourly", words],
  ["@every", words],
  ["@", words],
  ["@every x", every],
  ["@every 5", every],
  ["@every -5m", every],
  ["@every 99999999h", every],
  ["TZ=Mars/Base * * * * * *", zone],
  ["TZ=europe/paris * * * * * *", zone],
  ["TZ=UTC", "must have five or six fields, seconds first, not 1"],
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
])("%j is a crontab line as well", (text) => expect(isCrontabLine(text)).toBe(true));

test.each(["0 0 22 * * *", "@hourly", "", "0 22 * * 8", "30 59 23 31 12"])("%j is none", (text) =>
  expect(isCrontabLine(text)).toBe(false),
);

test("long texts do not stall", () => {
  expect(findings(scriptCronRule, `@every ${"1".repeat(100_000)}`)).toEqual([every]);
  expect(findings(scriptCronRule, "1,".repeat(50_000))).toHaveLength(1);
});
