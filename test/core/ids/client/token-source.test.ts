import { inspect } from "node:util";
import { parseCredentials } from "../../../../src/core/google/parse-credentials";
import { lazyTransport } from "../../../../src/core/http/client";
import { httpError } from "../../../../src/core/http/http-error";
import type { Transport } from "../../../../src/core/http/transport";
import { credentialsToken } from "../../../../src/core/ids/client/token-source";
import { serviceError } from "../../../../src/core/ids/endpoint/service-error";
import type { ProviderError } from "../../../../src/core/provider-kit";
import { closeAfterTest } from "../../http/close-after-test";
import { paths, startGoogle } from "../../google/google-services";
import { failureOf } from "./service";

/** A source of tokens of a user, whose token endpoint gives another one each time. */
async function open(transport: Transport = lazyTransport()) {
  closeAfterTest(() => transport.close());
  const google = await startGoogle();
  let number = 0;
  google.answers[paths.oauth] = () => ({
    body: JSON.stringify({ access_token: `access-${++number}`, expires_in: 3600 }),
  });
  const { clock, requests } = google;
  const credentials = parseCredentials(JSON.stringify(google.credentials.user), "KEY");
  const redacted: string[] = [];
  const source = credentialsToken(credentials, {
    transport,
    clock,
    env: {},
    redact: (secret) => redacted.push(secret),
  });
  const { signal } = new AbortController();
  const call = { signal, deadline: clock.now() + 24 * 3_600_000 };
  return { google, clock, requests, source, call, redacted };
}

test("a token is requested once for all callers, until five minutes before it expires", async () => {
  const { clock, requests, source, call } = await open();
  expect(await Promise.all([source.token(call), source.token(call)])).toEqual([
    "access-1",
    "access-1",
  ]);
  clock.advance(54 * 60_000);
  expect(await source.token(call)).toBe("access-1");
  expect(requests).toHaveLength(1);
  clock.advance(2 * 60_000);
  expect(await source.token(call)).toBe("access-2");
});

test("a token that the service refuses is replaced", async () => {
  const { source, call } = await open();
  const rejected = await source.token(call);
  expect(await source.token({ ...call, rejected })).toBe("access-2");
});

test("a caller gets a token although the first one was cancelled", async () => {
  const stop = new AbortController();
  const real = lazyTransport();
  closeAfterTest(() => real.close());
  const { source, call } = await open({
    ...real,
    send(request) {
      if (!stop.signal.aborted) stop.abort();
      return real.send(request);
    },
  });
  const first = source.token({ ...call, signal: stop.signal });
  const second = source.token(call);
  expect(await failureOf(first)).toMatchObject({ code: "CANCELLED_BY_USER" });
  expect(await second).toBe("access-1");
});

test("a failure is one of the client's errors, with its cause and without secrets", async () => {
  const { google, source, call, redacted } = await open();
  const body = JSON.stringify({ error: "invalid_grant", error_description: "secret-refresh" });
  google.answers[paths.oauth] = () => ({ status: 400, body });
  const failure = await failureOf(source.token(call));
  expect(failure).toMatchObject({ code: "CREDENTIALS" });
  expect(failure.cause).toMatchObject({ name: "GoogleError", code: "REFUSED" });
  expect(failure.message).toMatch(/^no access token could be obtained: KEY: the token endpoint/);
  expect(inspect(failure)).not.toContain("secret-refresh");
  expect(redacted).toContain("secret-refresh");
});

test("a failure keeps its advice, which users read", async () => {
  const advice = "Connect to the network.";
  const send = () => Promise.reject(httpError("NO_ANSWER", "no network", { advice }));
  const { source, call } = await open({ ...lazyTransport(), send });
  const failure = await failureOf(source.token({ ...call, deadline: call.deadline }));
  expect(failure).toMatchObject({ code: "CREDENTIALS", advice });
  const shown = serviceError(failure, { verb: "read", name: "edge" });
  expect(shown).toMatchObject({ summary: "No Access Token" });
  expect((shown as ProviderError).detail).toContain(advice);
});

test("a given token is used unchanged, even if the service refuses it", async () => {
  const given = { type: "access_token", token: "t", origin: "", universeDomain: "" } as const;
  const redact = () => undefined;
  const source = credentialsToken(given, { env: {}, transport: lazyTransport(), redact });
  const call = { signal: new AbortController().signal, deadline: Infinity };
  expect(await source.token({ ...call, rejected: "t" })).toBe("t");
});
