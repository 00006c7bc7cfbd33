import { createHttpClient, type OutgoingRequest } from "../../../src/core/http/client";
import { type HttpError, isHttpError, reasonOf } from "../../../src/core/http/http-error";
import { retryPolicy } from "../../../src/core/http/retry";
import { closeAfterTest } from "./close-after-test";
import { startScriptedServer, type Script } from "./scripted-server";
import { VirtualClock } from "./virtual-clock";

async function start(script: Script) {
  const server = await startScriptedServer(script);
  const clock = new VirtualClock();
  const logged: string[] = [];
  const client = createHttpClient({
    clock,
    random: () => 0,
    log: {
      debug: (message, fields) => logged.push(JSON.stringify({ message, ...fields })),
      warn: (message, fields) => logged.push(JSON.stringify({ message, ...fields })),
    },
  });
  closeAfterTest(() => client.close());
  const abort = new AbortController();
  const context = { signal: abort.signal, deadline: clock.now() + 100_000 };
  const request = (extra: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
    method: "GET",
    url: `${server.origin}/thing?key=secret-query`,
    context,
    limits: { maxBytes: 1_000 },
    ...extra,
  });
  return { server, clock, client, abort, request, logged };
}

async function failureOf(call: Promise<unknown>): Promise<HttpError> {
  const failure: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isHttpError(failure)) return failure;
  throw failure instanceof Error ? failure : new Error("the call did not fail");
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("a request", () => {
  test("returns the response regardless of its status", async () => {
    const { client, request, server } = await start(() => ({
      status: 404,
      headers: { "X-Thing": "a" },
      body: "gone",
    }));
    const answer = await client.request(request({ method: "POST", body: "sent" }));
    expect(answer).toMatchObject({ status: 404, headers: { "x-thing": "a" } });
    expect(answer.body.toString()).toBe("gone");
    expect(server.requests[0]).toMatchObject({ method: "POST", body: Buffer.from("sent") });
    expect(server.requests[0]?.headers).toMatchObject({ "user-agent": "trivet" });
  });

  test.each([
    ["what Content-Length announces", { "content-length": "1001" }],
    ["the bytes that come", undefined],
  ])("fails early when the response is too large by %s", async (_, headers) => {
    const { client, request } = await start((_request, _number, response) => {
      response.writeHead(200, headers);
      // The response never ends, so the call ends only if it gives up early.
      response.write(Buffer.alloc(headers === undefined ? 1_001 : 1));
      return undefined;
    });
    const failure = await failureOf(client.request(request()));
    expect(failure).toMatchObject({ code: "TOO_LARGE" });
    expect(failure.message).toMatch(/\/thing: the response is larger than 1 kB$/);
  });

  test("never shows its query string or its credentials", async () => {
    const headers = { Authorization: "Bearer secret-token" };
    const { client, request, logged, server } = await start(() => ({}));
    await client.request(request({ headers }));
    await server.close();
    const failure = await failureOf(client.request(request({ headers })));
    expect(failure.code).toBe("NO_ANSWER");
    expect(reasonOf(failure)).toBe("ECONNREFUSED");
    expect(`${failure.message} ${failure.stack ?? ""} ${logged.join()}`).not.toMatch(/secret-/);
  });

  test.each([
    ["no URL", "::secret-url", "the URL cannot be parsed"],
    ["another scheme", "file:///etc/passwd", "must begin with https or http"],
    ["credentials", "http://user:secret-url@127.0.0.1/", "must not contain credentials"],
  ])("is not sent to %s", async (_, url, words) => {
    const { client, request, server } = await start(() => ({}));
    const failure = await failureOf(client.request(request({ url })));
    expect(failure.code).toBe("URL");
    expect(failure.message).toContain(words);
    expect(failure.message).not.toContain("secret-url");
    expect(server.requests).toEqual([]);
  });

  test("reports a truncated response", async () => {
    const { client, request } = await start((_request, _number, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half");
      setImmediate(() => response.destroy());
      return undefined;
    });
    expect(await failureOf(client.request(request()))).toMatchObject({ code: "BROKEN_OFF" });
  });
});

describe("time", () => {
  test("ends a call at its deadline, before and during the response", async () => {
    const { client, request, clock } = await start((_request, number, response) => {
      if (number === 2) response.write("begun");
      clock.advance(100_000);
      return undefined;
    });
    expect(await failureOf(client.request(request()))).toMatchObject({ code: "DEADLINE" });
    expect(await failureOf(client.request(request()))).toMatchObject({ code: "DEADLINE" });
    const context = { signal: new AbortController().signal, deadline: clock.now() + 100_000 };
    expect(await failureOf(client.request(request({ context })))).toMatchObject({
      code: "DEADLINE",
    });
  });

  test("ends one attempt, and the next one can succeed", async () => {
    const { client, request, clock } = await start((_request, number) => {
      if (number > 1) return { body: "late" };
      clock.advance(5_000);
      return undefined;
    });
    const limits = { maxBytes: 100, attemptMs: 5_000 };
    const answer = await client.request(request({ limits, retry: retryPolicy() }));
    expect(answer.body.toString()).toBe("late");
  });

  test("ends a call when the user interrupts it", async () => {
    const { client, request, abort } = await start(() => {
      abort.abort();
      return undefined;
    });
    expect(await failureOf(client.request(request()))).toMatchObject({ code: "CANCELLED" });
    expect(await failureOf(client.request(request()))).toMatchObject({ code: "CANCELLED" });
  });

  test("closes a connection on which nothing arrives", async () => {
    const { client, request } = await start(() => undefined);
    const limits = { maxBytes: 100, silenceMs: 20 };
    const failure = await failureOf(client.request(request({ limits })));
    expect(failure.code).toBe("TIMEOUT");
    expect(reasonOf(failure)).toBe("SERVER_SILENT");
  });
});

describe("retries", () => {
  test("are the caller's decision", async () => {
    const { client, request, server } = await start(() => ({ status: 503 }));
    expect(await client.request(request())).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  test.each([408, 429, 499, 500, 502, 503, 504, 522])("repeat after %i", async (status) => {
    const { client, request, clock } = await start((_, number) =>
      number < 3 ? { status } : { body: "done" },
    );
    const answer = await client.request(request({ retry: retryPolicy() }));
    expect(answer.body.toString()).toBe("done");
    expect(clock.sleeps).toEqual([1_000, 3_000]);
  });

  test.each([
    [3, retryPolicy()],
    [1, retryPolicy({ attempts: 1 })],
    [5, retryPolicy({ attempts: 5 })],
  ])("end after %i attempts", async (attempts, retry) => {
    const { client, request, server } = await start(() => ({ status: 503 }));
    const answer = await client.request(request({ retry }));
    expect(answer).toMatchObject({ status: 503, attempts });
    expect(server.requests).toHaveLength(attempts);
  });

  test.each([400, 401, 403, 404, 501])("do not repeat after %i", async (status) => {
    const { client, request, server } = await start(() => ({ status }));
    expect(await client.request(request({ retry: retryPolicy() }))).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test("wait as long as the server requests, but never past the deadline", async () => {
    const { client, request, clock, server } = await start((_, number) => ({
      status: 429,
      headers: { "retry-after": number === 1 ? "7" : "93" },
    }));
    const answer = await client.request(request({ retry: retryPolicy() }));
    expect(answer.status).toBe(429);
    expect(clock.sleeps).toEqual([7_000]);
    expect(server.requests).toHaveLength(2);
  });

  test("send a streamed body again from its start", async () => {
    const { client, request, server } = await start((_, number) => ({
      status: number === 1 ? 503 : 201,
    }));
    // eslint-disable-next-line @typescript-eslint/require-await
    const body = async function* () {
      yield Buffer.from("one");
      yield Buffer.from("two");
    };
    await client.request(request({ method: "PUT", body, retry: retryPolicy() }));
    expect(server.requests.map((sent) => sent.body.toString())).toEqual(["onetwo", "onetwo"]);
  });

  test("get the headers again for each attempt, and their failure is the attempt's", async () => {
    const { client, request, server, logged } = await start(() => ({ status: 503 }));
    const tokens = ["one", "two"];
    const refused = new Error("no third token");
    const headers = () => {
      const token = tokens.shift();
      return token === undefined
        ? Promise.reject(refused)
        : Promise.resolve({ Authorization: `Bearer ${token}` });
    };
    const failure = await failureOf(client.request(request({ headers, retry: retryPolicy() })));
    expect(server.requests.map((each) => each.headers.authorization)).toEqual([
      "Bearer one",
      "Bearer two",
    ]);
    expect(failure).toMatchObject({ code: "NO_ANSWER", cause: refused });
    expect(logged.join()).not.toContain("Bearer");
  });

  test("tell whoever gets the headers when the attempt has taken too long", async () => {
    const { client, request, clock } = await start(() => ({}));
    const headers = (signal: AbortSignal) => {
      clock.advance(5_000);
      return signal.aborted ? Promise.reject(new Error("aborted")) : Promise.resolve({});
    };
    const limits = { maxBytes: 1, attemptMs: 5_000 };
    const failing = client.request(request({ headers, limits }));
    expect(await failureOf(failing)).toMatchObject({ code: "TIMEOUT" });
  });

  test("go on for longer while no server is there, if the policy says so", async () => {
    const { client, request, clock, server } = await start(() => ({}));
    await server.close();
    const retry = retryPolicy({ attemptsWithoutServer: 8 });
    const failure = await failureOf(client.request(request({ retry })));
    expect(failure.code).toBe("NO_ANSWER");
    expect(reasonOf(failure)).toBe("ECONNREFUSED");
    expect(failure.message).toMatch(
      /: no server is listening on 127\.0\.0\.1:\d+ after 8 attempts$/,
    );
    expect(clock.sleeps).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  test("say that there were two attempts, but not if the caller ends the second one", async () => {
    const { client, request, server } = await start(() => ({}));
    await server.close();
    const twice = request({ retry: retryPolicy({ attempts: 2, attemptsWithoutServer: 2 }) });
    expect((await failureOf(client.request(twice))).message).toMatch(/ after 2 attempts$/);
    const stop = new AbortController();
    let attempts = 0;
    const headers = () => {
      if (++attempts === 2) stop.abort();
      return Promise.resolve({});
    };
    const context = { ...twice.context, signal: stop.signal };
    const failure = await failureOf(client.request({ ...twice, headers, context }));
    expect(attempts).toBe(2);
    expect(failure.code).toBe("CANCELLED");
    expect(failure.message).not.toContain("attempts");
  });

  test("repeat after a lost connection", async () => {
    const { client, request } = await start((_request, number, response) => {
      if (number > 1) return { body: "done" };
      response.destroy();
      return undefined;
    });
    const answer = await client.request(request({ retry: retryPolicy() }));
    expect(answer.body.toString()).toBe("done");
  });
});

describe("redirects", () => {
  const authorization = "Bearer secret-token";

  test("are returned to the caller unless it follows them", async () => {
    const headers = { location: "/other" };
    const { client, request } = await start(() => ({ status: 307, headers }));
    expect(await client.request(request())).toMatchObject({ status: 307, headers });
  });

  test("keep credentials on the same host", async () => {
    const { client, request, server } = await start(({ url }) =>
      url === "/end" ? { body: "end" } : { status: 302, headers: { location: "/end" } },
    );
    const answer = await client.request(
      request({ headers: { authorization }, redirects: "same-host" }),
    );
    expect(answer.url.pathname).toBe("/end");
    expect(server.requests[1]?.headers.authorization).toBe(authorization);
  });

  test("lose credentials on another host", async () => {
    const other = await startScriptedServer(() => ({ body: "end" }));
    const headers = { location: `http://user:pass@127.0.0.1:${other.port}/end` };
    const { client, request } = await start(() => ({ status: 307, headers }));
    const sent = { authorization, cookie: "a=b", accept: "x/y" };
    await client.request(request({ headers: sent, redirects: "follow" }));
    expect(other.requests[0]?.headers).toMatchObject({ accept: "x/y" });
    expect(other.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(other.requests[0]?.headers).not.toHaveProperty("cookie");
  });

  test("to another host are refused if only the same host is allowed", async () => {
    const other = await startScriptedServer(() => ({}));
    const { client, request } = await start(() => ({
      status: 307,
      headers: { location: `${other.origin}/?key=secret-query` },
    }));
    const failure = await failureOf(client.request(request({ redirects: "same-host" })));
    expect(failure.code).toBe("REDIRECT");
    expect(failure.message).not.toContain("secret-query");
    expect(other.requests).toEqual([]);
  });

  test("are followed ten times at most", async () => {
    const { client, request, server } = await start(() => ({
      status: 307,
      headers: { location: "/again" },
    }));
    expect(await failureOf(client.request(request({ redirects: "follow" })))).toMatchObject({
      code: "REDIRECT",
    });
    expect(server.requests).toHaveLength(11);
  });

  test.each(["http://169.254.169.254/latest", "http://[fe80::1]/", "ftp://127.0.0.1/", "http://%"])(
    "are never followed to %s",
    async (location) => {
      const { client, request } = await start(() => ({ status: 302, headers: { location } }));
      expect(await failureOf(client.request(request({ redirects: "follow" })))).toMatchObject({
        code: "REDIRECT",
      });
    },
  );

  test("do not turn a POST into a GET", async () => {
    const { client, request } = await start(() => ({ status: 302, headers: { location: "/x" } }));
    const answer = await client.request(
      request({ method: "POST", body: "x", redirects: "follow" }),
    );
    expect(answer.status).toBe(302);
  });
});

describe("a streamed response", () => {
  test("is passed on as it arrives", async () => {
    const { client, request } = await start(() => ({ body: "abc" }));
    expect(await read((await client.open(request())).body)).toBe("abc");
  });

  test("ends with an error at its limit, at the deadline, and when it is truncated", async () => {
    const { client, request, clock } = await start((_request, number, response) => {
      response.writeHead(200, { "content-length": "5000" });
      response.write(Buffer.alloc(number === 1 ? 1_001 : 100));
      if (number === 2) setImmediate(() => response.destroy());
      return undefined;
    });
    const codes: string[] = [];
    for (const number of [1, 2, 3]) {
      const { body } = await client.open(request());
      if (number === 3) clock.advance(100_000);
      codes.push((await failureOf(read(body))).code);
    }
    expect(codes).toEqual(["TOO_LARGE", "BROKEN_OFF", "DEADLINE"]);
  });

  test("can be abandoned, which closes its connection", async () => {
    const closed: Promise<unknown>[] = [];
    const { client, request } = await start((_request, _number, response) => {
      closed.push(new Promise((resolve) => response.once("close", resolve)));
      response.write("begun");
      return undefined;
    });
    (await client.open(request())).discard();
    for await (const chunk of (await client.open(request())).body) {
      expect(chunk.byteLength).toBe(5);
      break;
    }
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });

  test("contains the start of an error response", async () => {
    const { client, request } = await start(() => ({ status: 500, body: "x".repeat(100_000) }));
    const { status, body } = await client.open(request());
    expect(status).toBe(500);
    expect(await read(body)).toHaveLength(65_536);
  });
});
