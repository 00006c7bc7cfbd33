import { Redactor } from "../../../src/core/redaction/redactor";
import { secretsIn } from "../../../src/core/http/request-label";
import { serverMessage } from "../../../src/core/http/server-message";

test("every form of a secret header is redacted", () => {
  const basic = Buffer.from("robot:pass-word").toString("base64");
  const secrets = secretsIn({ authorization: `Basic ${basic}`, accept: "text/plain" });
  const message = serverMessage(
    `text/plain Basic ${basic} ${basic} robot:pass-word pass-word`,
    secrets,
  );
  expect(message).toBe("text/plain *** *** *** ***");
  expect(serverMessage("got tok-1", secretsIn({ Authorization: "Bearer tok-1" }))).toBe("got ***");
});

test("a message is redacted before it is cut, which could leave half a secret", () => {
  const text = `${" ".repeat(9_995)}secret-token-1`;
  expect(serverMessage(text, "secret-token-1")).not.toContain("secr");
});

test("what is cut is marked, so that those who know another secret redact its half too", () => {
  const session = new Redactor();
  session.add("the-session-token-0123456789");
  for (let padding = 460; padding < 510; padding++) {
    const echo = `${"x".repeat(padding)}the-session-token-0123456789`;
    const shown = session.redact(serverMessage(echo, "another secret"));
    // Fewer than four characters say nothing about a secret.
    expect(shown).not.toMatch(/the-/);
  }
  const wide = `${" ".repeat(9_990)}the-session-token-0123456789`;
  expect(session.redact(serverMessage(wide))).toBe("***…");
});

test("a text that its reader cut within a secret shows no part of it", () => {
  const long = "long-secret-".repeat(500);
  const body = `${long.repeat(10)}${long.slice(0, -1)}`;
  expect(serverMessage(body, long)).toBe("***");
});

test("a text that is not cut keeps a last word that only starts like a secret", () => {
  expect(serverMessage(`${" ".repeat(9_995)}secre`, "secret-token-1")).toBe("secre");
});

test("control characters in a message are visible", () => {
  expect(serverMessage("a\u001b[2J\r\nb\u202ec")).toBe("a\\u001b[2J b\\u202ec");
});
