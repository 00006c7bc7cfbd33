import { maxBytes } from "../../../../src/core/workspace/grammar/value-rules";
import { findings } from "./findings";

const rule = maxBytes(6);

test("documents its limit", () => {
  expect(rule.doc).toEqual(["must be at most 6 bytes long in UTF-8"]);
});

test.each(["", "abcdef", "äöü", "\u{1f600}ab", "\ud800\ud800"])("accepts %j", (text) => {
  expect(findings(rule, text)).toEqual([]);
});

test.each([
  ["abcdefg", 7],
  ["äöüa", 7],
  ["\u{1f600}\u{1f600}", 8],
  ["\ud800\ud800a", 7],
])("refuses %j", (text, length) => {
  expect(findings(rule, text)).toEqual([`must be at most 6 bytes long in UTF-8, not ${length}`]);
});
