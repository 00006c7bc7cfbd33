import { randomUUID } from "node:crypto";
import type { Fault } from "../../../local/service/answering-faults";
import { connect, failureOf, name, network, parent, startService, type Service } from "./service";

const endpoint = { network, severity: "HIGH" };

function create({ client, options }: Service, requestId: string = randomUUID()) {
  return client.createEndpoint({ parent, endpointId: "edge", endpoint, requestId }, options);
}

function failFirst(service: Service, fault: Fault, times = 1): void {
  service.fault = (_, number) => (number <= times ? fault : undefined);
}

function requestIds(service: Service): (string | null)[] {
  return service.requests.map(({ query }) => query.get("requestId"));
}

const lostAnswers: [string, Fault][] = [
  ["a reset after the effect", { kind: "reset", afterEffect: true }],
  ["a 503 after the effect", { kind: "answer", status: 503, afterEffect: true }],
  ["a reset before the effect", { kind: "reset" }],
  ["a 429", { kind: "answer", status: 429 }],
  ["a 504", { kind: "answer", status: 504 }],
];

describe("a request that fails", () => {
  test.each(lostAnswers)("is repeated with its request ID after %s", async (_, fault) => {
    const service = await startService();
    failFirst(service, fault);
    const requestId = randomUUID();
    const operation = await create(service, requestId);
    expect(requestIds(service)).toEqual([requestId, requestId]);
    await service.client.waitForOperation(operation, service.options);
    const found = await service.client.getEndpoint(name, service.options);
    expect(found).toMatchObject({ state: "READY" });
  });

  test("is repeated when no response arrives within the request timeout", async () => {
    const service = await startService({ client: { requestTimeoutMs: 90_000 } });
    service.fault = (_, number) => {
      if (number > 1) return undefined;
      service.clock.advance(90_000);
      return { kind: "never answer", afterEffect: true };
    };
    await create(service);
    expect(new Set(requestIds(service)).size).toBe(1);
    expect(service.requests).toHaveLength(2);
  });

  test("creates one endpoint when two requests with the same ID arrive together", async () => {
    const service = await startService();
    const requestId = randomUUID();
    const [one, two] = await Promise.all([create(service, requestId), create(service, requestId)]);
    expect(one.name).toBe(two.name);
  });

  test("waits longer each time, with jitter, and gives up after eight attempts", async () => {
    const service = await startService();
    failFirst(service, { kind: "answer", status: 503 }, 100);
    const failure = await failureOf(create(service));
    expect(failure).toMatchObject({ code: "UNAVAILABLE", httpStatus: 503 });
    expect(service.clock.sleeps).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000]);
  });

  test.each([
    ["seconds", "7"],
    ["an HTTP date", "Sun, 01 Mar 2026 12:00:07 GMT"],
  ])("waits as long as Retry-After requires in %s", async (_, header) => {
    const service = await startService();
    failFirst(service, { kind: "answer", status: 429, headers: { "retry-after": header } });
    await create(service);
    expect(service.clock.sleeps).toEqual([7_000]);
  });

  test("fails immediately when Retry-After exceeds the deadline", async () => {
    const service = await startService();
    failFirst(service, { kind: "answer", status: 503, headers: { "retry-after": "4000" } }, 100);
    expect(await failureOf(create(service))).toMatchObject({ code: "UNAVAILABLE" });
    expect(service.requests).toHaveLength(1);
  });

  test("never sends anything after the deadline", async () => {
    const service = await startService();
    service.clock.advance(3_600_000);
    expect(await failureOf(create(service))).toMatchObject({ code: "DEADLINE" });
    expect(service.requests).toEqual([]);
  });

  test("ends at the deadline while the server sends nothing", async () => {
    const service = await startService({ client: { requestTimeoutMs: 10_000_000 } });
    service.fault = () => {
      service.clock.advance(3_600_000);
      return { kind: "never answer", afterEffect: true };
    };
    expect(await failureOf(create(service))).toMatchObject({ code: "DEADLINE" });
  });

  test("ends immediately when the user interrupts it, during an attempt or between two", async () => {
    const service = await startService();
    const during = new AbortController();
    service.fault = () => {
      during.abort();
      return { kind: "never answer", afterEffect: true };
    };
    const options = { ...service.options, signal: during.signal };
    const first = await failureOf(service.client.getEndpoint(name, options));
    expect(first.code).toBe("CANCELLED_BY_USER");

    const between = new AbortController();
    service.fault = () => ({ kind: "answer", status: 503 });
    service.clock.onSleep = () => {
      between.abort();
    };
    const second = await failureOf(
      service.client.getEndpoint(name, { ...options, signal: between.signal }),
    );
    expect(second.code).toBe("CANCELLED_BY_USER");
  });

  test.each([
    ["a conflict that passes", 409, "ABORTED", undefined, 2],
    [
      "too many operations at once",
      403,
      "PERMISSION_DENIED",
      "CONCURRENT_OPERATIONS_QUOTA_EXCEEDED",
      2,
    ],
    ["too many requests a minute", 429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", 2],
    ["too many endpoints", 429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", 1],
    ["a missing role", 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED", 1],
    ["a wrong argument", 400, "INVALID_ARGUMENT", undefined, 1],
    ["an unimplemented method", 501, "UNIMPLEMENTED", undefined, 1],
  ])("for %s: HTTP %i %s (%s), %i attempts", async (_, status, word, reason, attempts) => {
    const service = await startService();
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }];
    const error = { code: status, status: word, message: "no", ...(reason ? { details } : {}) };
    failFirst(service, { kind: "answer", status, body: JSON.stringify({ error }) });
    const result = await create(service).catch((failure: unknown) => failure);
    expect(service.requests).toHaveLength(attempts);
    if (attempts === 1) expect(result).toMatchObject({ code: word, httpStatus: status, reason });
  });

  test("explains what to start when no server is listening on the loopback interface", async () => {
    const service = await startService();
    const { client } = connect("http://127.0.0.1:9/v1/", { clock: service.clock });
    const failure = await failureOf(client.getEndpoint(name, service.options));
    expect(failure).toMatchObject({ code: "TRANSPORT", reason: "ECONNREFUSED" });
    expect(failure.message).toContain("trivet local ids");
    expect(failure.cause).toMatchObject({ name: "HttpError", code: "NO_ANSWER" });
    expect(service.clock.sleeps).toHaveLength(2);
  });
});

describe("a refused token", () => {
  test("is replaced once", async () => {
    const tokens = ["stale", "fresh"];
    const rejected: (string | undefined)[] = [];
    const service = await startService({
      client: {
        token: {
          token: (options) => {
            rejected.push(options.rejected);
            return Promise.resolve(tokens.shift() ?? "none");
          },
        },
      },
    });
    service.fault = ({ headers }) =>
      headers["authorization"] === "Bearer fresh" ? undefined : { kind: "answer", status: 401 };
    await create(service);
    expect(rejected).toEqual([undefined, "stale"]);
    expect(service.requests).toHaveLength(2);
  });

  test("is not sent twice when no other exists", async () => {
    const token = { token: () => Promise.resolve("secret-token-1") };
    const service = await startService({ client: { token } });
    failFirst(service, { kind: "answer", status: 401 }, 100);
    const failure = await failureOf(create(service));
    expect(failure).toMatchObject({ code: "UNAUTHENTICATED", httpStatus: 401 });
    expect(service.requests).toHaveLength(1);
  });

  test("never appears in errors or logs, even when the server repeats it", async () => {
    const token = { token: () => Promise.resolve("secret-token-1") };
    const service = await startService({ client: { token } });
    const error = { code: 400, status: "INVALID_ARGUMENT", message: "bad Bearer secret-token-1" };
    failFirst(service, { kind: "answer", status: 400, body: JSON.stringify({ error }) });
    const failure = await failureOf(create(service));
    failFirst(service, { kind: "answer", status: 403, body: "<html>secret-token-1</html>" }, 100);
    const page = await failureOf(create(service));
    const told = JSON.stringify([failure, failure.message, page.message, page.stack]);
    expect(failure.message).toBe("bad Bearer ***");
    expect(told + service.logged.join()).not.toContain("secret-token-1");
  });
});
