import { redact, Redactor } from "../../src/redaction/redactor";

test.each([
  ["as it is", 'pa"ss/word 1', 'sent pa"ss/word 1 twice: pa"ss/word 1', "sent *** twice: ***"],
  ["in a URL", 'pa"ss/word 1', "https://host/pa%22ss%2Fword%201", "https://host/***"],
  ["in JSON", 'pa"ss/word 1', '{"a":"pa\\"ss/word 1"}', '{"a":"***"}'],
  ["by a long line", "BEGIN\nMIIBVAIBADANBgkqhkiG9w0B\n}", "MIIBVAIBADANBgkqhkiG9w0B }", "*** }"],
  ["by no short line", "BEGIN\n}\nEND", "BEGIN with a } brace", "BEGIN with a } brace"],
])("redacts a secret %s", (_, secret, text, expected) => {
  const redactor = new Redactor();
  redactor.add(secret);
  expect(redactor.redact(text)).toBe(expected);
});

test("redacts the longest secret first, regardless of the order of registration", () => {
  for (const secrets of [
    ["key", "key-of-the-house"],
    ["key-of-the-house", "key"],
  ]) {
    expect(redact("key-of-the-house and key", secrets)).toBe("*** and ***");
  }
});

test("redacts a secret registered after the first message", () => {
  const redactor = new Redactor();
  redactor.add("first");
  expect(redactor.redact("first second")).toBe("*** second");
  redactor.add("second");
  expect(redactor.redact("first second")).toBe("*** ***");
});

test("accepts an empty secret and a lone surrogate", () => {
  expect(redact("text", ["", "\ud800"])).toBe("text");
});

test("does not redact secrets that are too short", () => {
  const redactor = new Redactor({ minLength: 4 });
  redactor.add("abc");
  redactor.add("abcd");
  expect(redactor.redact("abc abcd")).toBe("abc ***");
});
