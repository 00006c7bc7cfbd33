import { secretsIn } from "../../src/http/secrets-in";
import { serverMessage } from "../../src/http/server-message";

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
