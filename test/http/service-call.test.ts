import { createHttpClient } from "../../src/http/client";
import { quoteRefusal, serviceCalls } from "../../src/http/service-call";
import { closeAfterTest } from "./close-after-test";
import { type Script, startScriptedServer } from "./scripted-server";
import { VirtualClock } from "./virtual-clock";

class RoomError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const call = serviceCalls({
  limits: { maxBytes: 100, attemptMs: 10_000 },
  failure: (code, message) => new RoomError(code, message),
});

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

test("a response above the limit is the part's own error, and a call can have its own limit", async () => {
  const { request } = await open(() => ({ body: "a".repeat(101) }));
  const failing = call({ ...request, url: `${request.url}/secret`, secrets: ["secret"] });
  await expect(failing).rejects.toMatchObject({
    code: "TRANSPORT",
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
