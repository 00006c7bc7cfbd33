import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type FaultKind,
  placed,
  type PlacedFault,
  FaultGate,
} from "../../../../../src/core/provider-kit/testing/faults/fault";
import {
  type FaultProxy,
  startFaultProxy,
} from "../../../../../src/core/provider-kit/testing/faults/fault-proxy";
import { until } from "../../../../until";

let server: Server;
let origin: string;
let proxy: FaultProxy;
let gate: FaultGate;
let kills: number;
/** What the service received. */
let received: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  received = [];
  kills = 0;
  answer = (_, response) => void response.end("done");
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      received.push(`${request.method} ${request.url} ${body}`.trim());
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  gate = new FaultGate();
  proxy = await startFaultProxy({
    service: "api",
    upstream: `${origin}/v1/`,
    gate,
    kill: () => {
      kills += 1;
      return Promise.resolve();
    },
  });
});

afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

const request = (method: string) => ({ service: "api", method, path: "/" });

const fault = (kind: FaultKind): PlacedFault => placed({ kind, request: 1 }, [request("POST")]);

const post = (): Promise<string> =>
  fetch(`${proxy.url}things?id=1`, { method: "POST", body: "{}" }).then((each) => each.text());

test("requests and responses pass unchanged, and are counted while the gate is armed", async () => {
  expect(proxy.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/$/);
  expect(await post()).toBe("done");
  gate.arm(undefined);
  expect(await post()).toBe("done");
  gate.disarm();
  answer = (_, response) => void response.writeHead(404, { "x-why": "gone" }).end();
  const missing = await fetch(proxy.url);
  expect([missing.status, missing.headers.get("x-why")]).toEqual([404, "gone"]);
  expect(received).toEqual(["POST /v1/things?id=1 {}", "POST /v1/things?id=1 {}", "GET /v1/"]);
  expect(gate.requests).toEqual([{ service: "api", method: "POST", path: "/v1/things" }]);
});

test.each([
  ["in capitals", (url: string) => url.replace("http", "HTTP"), ""],
  ["with a user", (url: string) => url.replace("//", "//me:secret@"), "me:secret@"],
])("a URL %s leads to the proxy, too", async (_, written, user) => {
  const upstream = written(`${origin}/v1/`);
  const other = await startFaultProxy({
    service: "api",
    upstream,
    gate,
    kill: () => proxy.close(),
  });
  await other.close();
  expect(other.url).toMatch(new RegExp(`^http://${user}127\\.0\\.0\\.1:\\d+/v1/$`));
  expect(new URL(other.url).host).not.toBe(new URL(origin).host);
});

test("a path that begins with two slashes stays a path", async () => {
  await fetch(`${new URL(proxy.url).origin}//v1/things`);
  expect(received).toEqual(["GET //v1/things"]);
});

test("a response to HEAD keeps the length of the body", async () => {
  answer = (_, response) => void response.writeHead(200, { "content-length": "1234" }).end();
  const { headers } = await fetch(proxy.url, { method: "HEAD" });
  expect(headers.get("content-length")).toBe("1234");
});

test("URLs of the service in headers lead to the proxy", async () => {
  answer = (_, response) =>
    void response
      .writeHead(202, {
        location: `${origin}/v1/uploads/1`,
        "www-authenticate": `Bearer realm="${origin}/token"`,
      })
      .end();
  const { headers } = await fetch(proxy.url, { method: "POST" });
  expect(headers.get("location")).toBe(`${proxy.url}uploads/1`);
  expect(headers.get("www-authenticate")).toBe(`Bearer realm="${new URL(proxy.url).origin}/token"`);
});

test.each<[FaultKind, number, number]>([
  ["kill-before", 0, 1],
  ["kill-after", 1, 1],
  ["reset-before", 0, 0],
  ["reset-after", 1, 0],
])(
  "%s: the service receives %d requests, and there is no response",
  async (kind, count, killed) => {
    gate.arm(fault(kind));
    await expect(post()).rejects.toThrow("fetch failed");
    expect([received.length, kills, gate.isReached]).toEqual([count, killed, true]);
    expect(await post()).toBe("done");
  },
);

test("a request without a response is carried out, until the client gives up", async () => {
  gate.arm(fault("no-answer"));
  const patience = new AbortController();
  const request = fetch(proxy.url, { method: "POST", body: "{}", signal: patience.signal });
  const outcome = request.catch((error: unknown) => error);
  await until(() => received.length === 1);
  expect(await post()).toBe("done");
  patience.abort();
  expect(await outcome).toMatchObject({ name: "AbortError" });
  expect(received.slice(0, 1)).toEqual(["POST /v1/ {}"]);
});

test("a request that is carried out twice has the second response", async () => {
  answer = (_, response) => void response.end(`number ${received.length}`);
  gate.arm(fault("twice"));
  expect(await post()).toBe("number 2");
  expect(received).toEqual(["POST /v1/things?id=1 {}", "POST /v1/things?id=1 {}"]);
});

test("a service that is down is a bad gateway", async () => {
  server.close();
  server.closeAllConnections();
  expect((await fetch(proxy.url)).status).toBe(502);
});

test.each([0, 2, 5])("a fault happens at the same write after %i reads instead of 2", (reads) => {
  const explored = [request("GET"), request("PUT"), request("GET"), request("PUT")];
  gate.arm(placed({ kind: "twice", request: 4 }, explored));
  for (let read = 0; read < reads; read += 1) expect(gate.arrive(request("GET"))).toBeUndefined();
  expect(gate.arrive(request("PUT"))).toBeUndefined();
  expect(gate.arrive({ ...request("PUT"), service: "other" })).toBeUndefined();
  expect([gate.isReached, gate.arrive(request("PUT")), gate.isReached]).toEqual([
    false,
    "twice",
    true,
  ]);
});
