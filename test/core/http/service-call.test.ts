import { createHttpClient } from "../../../src/core/http/client";
import { quoteRefusal, serviceCalls } from "../../../src/core/http/service-call";
import { closeAfterTest } from "./close-after-test";
import { type Script, startScriptedServer } from "./scripted-server";
import { VirtualClock } from "./virtual-clock";

const call = serviceCalls({ limits: { maxBytes: 100, attemptMs: 10_000 } });

async function open(script: Script) {
  const server = await startScriptedServer(script);
  const clock = new VirtualClock();
  const http = createHttpClient({ clock, random: () => 0 });
  closeAfterTest(() => http.close());
  const context = { signal: new AbortController().signal, deadline: clock.now() + 60_000 };
  const request = { http, service: "The log", method: "GET", url: server.origin, context } as const;
  return { server, clock, request };
}

test("a response of any status is returned, after three attempts if it is temporary", async () => {
  const { server, clock, request } = await open(() => ({ status: 503 }));
  expect((await call(request)).status).toBe(503);
  expect(server.requests).toHaveLength(3);
  expect(clock.sleeps).toEqual([1_000, 3_000]);
});

test("redirects are not followed unless the policy says so", async () => {
  const { request } = await open(() => ({ status: 307, headers: { location: "/" } }));
  expect((await call(request)).status).toBe(307);
});

test("a response above the limit is refused, and a call can have its own limit", async () => {
  const { request } = await open(() => ({ body: "a".repeat(101) }));
  const failing = call({ ...request, url: `${request.url}/secret`, secrets: ["secret"] });
  await expect(failing).rejects.toMatchObject({
    code: "TOO_LARGE",
    message: `The log: GET ${request.url}/***: the response is larger than 100 bytes`,
  });
  expect((await call({ ...request, limits: { maxBytes: 101 } })).status).toBe(200);
});

test.each([
  ["CANCELLED", AbortSignal.abort(), Infinity],
  ["DEADLINE", new AbortController().signal, 0],
])("a call that ends early has the code %s", async (code, signal, deadline) => {
  const { request } = await open(() => ({}));
  await expect(call({ ...request, context: { signal, deadline } })).rejects.toMatchObject({ code });
});

test("other errors stay what they are", async () => {
  const { request } = await open(() => ({}));
  const bug = new TypeError("a bug");
  const http = { ...request.http, request: () => Promise.reject(bug) };
  await expect(call({ ...request, http })).rejects.toBe(bug);
});

test.each([
  ['{"error":"no to the-token"}', 'HTTP status 403: "no to ***"'],
  ["", "HTTP status 403"],
])("a refusal with the body %j is quoted as %s", (body, quoted) => {
  expect(quoteRefusal({ status: 403, body: Buffer.from(body) }, ["the-token"])).toBe(quoted);
});

const refusalWords = (body: Buffer) =>
  quoteRefusal({ status: 403, body }).replace(/^HTTP status 403(?:: "(.*)")?$/s, "$1");

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
  const nested = (levels: number) =>
    Buffer.from(`${'{"errors":['.repeat(levels)}"denied"${"]}".repeat(levels)}`);
  expect(refusalWords(nested(2))).toBe("denied");
  expect(refusalWords(nested(3))).toBe("");
  const many = { errors: Array.from({ length: 100 }, () => ({ code: "DENIED" })) };
  expect(refusalWords(Buffer.from(JSON.stringify(many)))).toBe(Array(5).fill("DENIED").join("; "));
});
