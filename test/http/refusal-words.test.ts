import { refusalWords } from "../../src/http/refusal-words";

const ociError = (more: object) => ({
  errors: [{ code: "UNAUTHORIZED", message: "authentication required", ...more }],
});

test.each<[string, unknown, string]>([
  ["a registry", ociError({ detail: null }), "UNAUTHORIZED: authentication required"],
  [
    "a registry with a detail",
    ociError({ detail: [{ Type: "repository", Class: "", Name: "lab/app", Action: "pull" }] }),
    "UNAUTHORIZED: authentication required (Type repository, Name lab/app, Action pull)",
  ],
  [
    "a registry with a text as detail",
    ociError({ detail: "the token has expired" }),
    "UNAUTHORIZED: authentication required (the token has expired)",
  ],
  [
    "a registry with several errors",
    { errors: [{ code: "NAME_UNKNOWN" }, { code: "DENIED", message: "not yours" }] },
    "NAME_UNKNOWN; DENIED: not yours",
  ],
  [
    "a certificate authority",
    { code: 3, message: "There was an error processing the identity token", details: [] },
    "There was an error processing the identity token",
  ],
  [
    "a gateway with details",
    {
      code: 7,
      message: "denied",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "EXPIRED" }],
    },
    "denied (EXPIRED)",
  ],
  ["a log", { code: 400, message: "error processing entry" }, "error processing entry"],
  [
    "a token service",
    { error: "invalid_grant", error_description: "the refresh token is unknown" },
    "invalid_grant: the refresh token is unknown",
  ],
  ["a token service without a description", { error: "invalid_grant" }, "invalid_grant"],
  [
    "an API of Google",
    { error: { code: 403, message: "no permission", status: "PERMISSION_DENIED" } },
    "no permission",
  ],
  ["problem details", { title: "No quota", detail: "wait a day" }, "No quota (wait a day)"],
  ["a list", ["one", { message: "two" }], "one; two"],
  ["a string", "denied", "denied"],
  ["an unknown object", { path: "/x", nested: { a: 1 } }, "path /x"],
  ["nothing", {}, ""],
])("the error of %s in words", (_, body, expected) => {
  expect(refusalWords(Buffer.from(JSON.stringify(body)))).toBe(expected);
});

test("other text stays as it is", () => {
  for (const text of ["upstream timed out", "<h1>Bad Gateway</h1>", '{"cut', "[not json]", ""]) {
    expect(refusalWords(Buffer.from(` ${text}\n`))).toBe(text);
  }
});

test("deep and long errors are bounded", () => {
  const deep = `${'{"errors":['.repeat(3_000)}1${"]}".repeat(3_000)}`;
  expect(refusalWords(Buffer.from(deep))).toBe("");
  const many = { errors: Array.from({ length: 100 }, () => ({ code: "DENIED" })) };
  expect(refusalWords(Buffer.from(JSON.stringify(many)))).toBe(Array(5).fill("DENIED").join("; "));
});
