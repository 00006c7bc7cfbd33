import {
  matches,
  regularExpressionRule,
} from "../../../../src/core/workspace/grammar/regular-expression";
import { findings } from "./findings";

test.each([
  "",
  "^a+$",
  "(?i)abc",
  "(?s).",
  "\\pL",
  "\\p{Greek}",
  "[[:alpha:]]",
  "\\Qa.b\\E",
  "\\z",
])("accepts %j", (pattern) => expect(findings(regularExpressionRule, pattern)).toEqual([]));

const re2 = "must be a regular expression in RE2 syntax: ";

test.each([
  ["(?=a)", `${re2}invalid or unsupported Perl syntax: \`(?=\``],
  ["(?<!a)b", `${re2}invalid named capture: \`(?<!a)b\``],
  ["(a)\\1", `${re2}invalid escape sequence: \`\\1\``],
  ["[", `${re2}missing closing ]: \`[\``],
  ["*", `${re2}missing argument to repetition operator: \`*\``],
  ["a{1001}", `${re2}invalid repeat count: \`{1001}\``],
  ["((a{100}){100}){100}", `${re2}invalid repeat count: \`{100}\``],
  [
    "(".repeat(500) + ")".repeat(499),
    `${re2}missing closing ): \`${"(".repeat(500)}${")".repeat(499)}\``,
  ],
  ["a".repeat(1_001), "must be at most 1000 bytes long"],
  ["ä".repeat(501), "must be at most 1000 bytes long"],
  ["\\pL{1000}".repeat(4), "must be at most 3000 steps with its repetitions expanded, not 4002"],
])("refuses %j with a reason", (pattern, problem) => {
  expect(findings(regularExpressionRule, pattern)).toEqual([problem]);
});

test.each([
  ["b", "abc", true],
  ["^b", "abc", false],
  ["^abc$", "abc", true],
  ["^abc$", "abc\n", false],
  ["(?m)^b$", "a\nb", true],
  ["a.c", "a\nc", false],
  ["(?i)ABC", "xabcx", true],
  ["^.$", "\u{1f600}", true],
  ["^\\d$", "٣", false],
  ["^\\w$", "ä", false],
  ["^\\s$", "\u00a0", false],
  ["", "", true],
  ["^$", "a", false],
])("%j in %j: %j", (pattern, text, found) => {
  expect(matches(pattern, text)).toBe(found);
});

test("an invalid pattern refuses nothing", () => {
  expect(matches("[", "a")).toBe(true);
  expect(matches("a".repeat(1_001), "b")).toBe(true);
});

test.each([
  ["^(a+)+$", "a", "!", false],
  ["^(a|a)*$", "a", "!", false],
  ["^(a|aa)+$", "a", "!", false],
  ["(a*)*b", "a", "!", false],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a", "", false],
  ["(x+x+)+y", "x", "", false],
  ["^(\\w+\\s?)*$", "word ", "!", false],
  ["^([a-zA-Z0-9_\\.-]+)@([\\da-z\\.-]+)\\.([a-z\\.]{2,6})$", "a@a.", "!", false],
  ["(.*)*[ab].{1,300}c", "a", "", false],
  ["(a?){100}a{100}", "a", "", true],
])("%j does not stall on a hostile string of 100 kB", (pattern, unit, end, found) => {
  const text = unit.repeat(100_000 / unit.length) + end;
  expect(matches(pattern, text)).toBe(found);
});

test("a string is not searched if the pattern would take too long", () => {
  expect(matches("\\pL{1000}\\pL{900}", "a".repeat(2_000))).toBe(true);
  expect(matches("\\pL{1000}\\pL{900}", "a".repeat(100_000))).toBe(false);
});

test("many patterns do not accumulate", () => {
  for (let index = 0; index < 500; index++) expect(matches(`^${index}$`, `${index}`)).toBe(true);
  expect(matches("^0$", "0")).toBe(true);
});
