import { printable, printableLine } from "../../../src/core/redaction/printable";

test.each([
  ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
  ["a control character of 8 bits", "\u009b31m", "\\u009b31m"],
  ["a null character, a bell and a backspace", "\0\u0007\b", "\\u0000\\u0007\\u0008"],
  ["a carriage return", "safe\revil", "safe\\u000devil"],
  ["an override of the writing direction", "\u202egnp.exe", "\\u202egnp.exe"],
  ["an isolate", "\u2066x\u2069", "\\u2066x\\u2069"],
  ["an invisible character", "re\u200bgistry", "re\\u200bgistry"],
  ["an invisible tag", "a\u{e0041}", "a\\U000e0041"],
  ["a line separator", "a\u2028b", "a\\u2028b"],
  ["nothing else", "äöü 漢字 😀 — “quoted”", "äöü 漢字 😀 — “quoted”"],
])("makes %s visible", (_, text, expected) => {
  expect(printable(text)).toBe(expected);
  expect(printableLine(text)).toBe(expected.replace("\\u000d", " ").replace("\\u2028", " "));
});

test("keeps lines, or joins them", () => {
  const text = "one\n\ttwo\r\nthree  ";
  expect(printable(text)).toBe("one\n\ttwo\nthree  ");
  expect(printableLine(text)).toBe("one two three");
});
