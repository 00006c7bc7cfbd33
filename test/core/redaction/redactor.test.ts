import { redact, Redactor } from "../../../src/core/redaction/redactor";

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

describe("an echo of a secret", () => {
  const secret = 'p+a/s "w%o\\r=d é😀 42';
  const escapedForJson = (text: string) =>
    Array.from({ length: text.length }, (_, at) => {
      const hex = text.charCodeAt(at).toString(16).padStart(4, "0");
      return at % 2 === 0 ? `\\u${hex}` : `\\u${hex.toUpperCase()}`;
    }).join("");
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const everyByte = Array.from(
    Buffer.from(secret),
    (byte) => `%${byte.toString(16).padStart(2, "0")}`,
  );

  test.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON with every character escaped", escapedForJson(secret)],
    ["in JSON with escaped slashes", JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/")],
    [
      "in JSON with escaped angle brackets and plus signs",
      JSON.stringify(secret).slice(1, -1).replaceAll("+", "\\u002b").replaceAll("o", "\\u006F"),
    ],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ["in a URL", encodeURIComponent(secret)],
    ["in a URL with every byte escaped, in lower case", everyByte.join("")],
    ["in a form", new URLSearchParams({ secret }).toString().slice("secret=".length)],
    ["in a URL within a URL", encodeURIComponent(encodeURIComponent(secret))],
    [
      "in a URL within JSON",
      JSON.stringify(encodeURIComponent(secret)).slice(1, -1).replaceAll("%", "\\u0025"),
    ],
    ["in base64", base64(secret).replace(/=+$/, "")],
    ["in base64 for URLs", Buffer.from(secret).toString("base64url")],
  ])("%s is redacted", (_, echo) => {
    const clean = redact(`before <${echo}> after`, [secret]);
    expect(clean).toMatch(/^before <\*\*\*.?> after$/);
  });

  test.each(["r", "ro", "rob", "robo", "robot"])(
    "in the header of basic authentication is redacted: user %s",
    (user) => {
      const clean = redact(`Basic ${base64(`${user}:the-password-of-ours`)}`, [
        "the-password-of-ours",
      ]);
      expect(clean).toMatch(/^Basic .{2,9}\*\*\*.?=*$/);
    },
  );

  test("that was cut is redacted as far as it goes: at the end, and before the mark of a cut", () => {
    for (const length of [4, 10, secret.length - 1]) {
      const half = secret.slice(0, length).replace(/\p{Surrogate}$/u, "");
      expect(redact(`got ${half}`, [secret], { isCut: true })).toBe("got ***");
      expect(redact(`"got ${half}…" and more`, [secret])).toBe('"got ***…" and more');
    }
    const cutInEscape = `got ${encodeURIComponent(secret).slice(0, -1)}`;
    expect(redact(cutInEscape, [secret], { isCut: true })).toBe("got ***");
    expect(redact("got pass", ["password"])).toBe("got pass");
  });

  test("is found in linear time, whatever the secret and the text are", () => {
    const hard = `${"a".repeat(20_000)}b`;
    const text = "a".repeat(300_000);
    expect(redact(text, [hard])).toBe(text);
    for (const escape of ["\\", "%", "%25", "\\u005c", "+"]) {
      const many = escape.repeat(20_000);
      expect(redact(many, ["%".repeat(50) + "x"], { isCut: true }).length).toBeLessThanOrEqual(
        many.length,
      );
    }
  });
});
