import { connect } from "node:net";
import {
  answerBytes,
  answerEmpty,
  answerJson,
  HttpFailure,
} from "../../../src/local/service/answer";
import { readBody } from "../../../src/local/service/request";
import { startService } from "../../../src/local/service/service";
import { openService, send } from "./local-service";

const empty = (_: unknown, response: Parameters<typeof answerEmpty>[0]) =>
  answerEmpty(response, 204);

const crossSite = (mode: string, target: string) => ({
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": mode,
  "sec-fetch-dest": target,
});

describe("a local service", () => {
  test.each(["0.0.0.0", "::", "192.168.1.5", "example.com"])(
    "never listens on %s",
    async (host) => {
      await expect(startService(empty, { host })).rejects.toThrow("only on loopback addresses");
    },
  );

  test("reports its URL", async () => {
    const service = await openService(empty);
    expect(service.url).toBe(`http://127.0.0.1:${service.port}`);
    expect(service.host).toBe(`127.0.0.1:${service.port}`);
    const other = await openService(empty, { host: "localhost" });
    expect(other.url).toBe(`http://localhost:${other.port}`);
    expect((await send(other)).status).toBe(204);
  });

  test("says what to do when its port is in use", async () => {
    const { port } = await openService(empty);
    await expect(startService(empty, { port })).rejects.toMatchObject({
      code: "PORT",
      message: `Port ${port} is already in use.`,
      advice: "Choose another port with --port, or use --port 0 for a free one.",
    });
  });

  test("stops listening and drops connections when it is closed", async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const service = await openService(() => arrive());
    const unanswered = send(service);
    const outcome = expect(unanswered).rejects.toMatchObject({ code: "ECONNRESET" });
    await arrived;
    await service.close();
    await outcome;
    await expect(send(service)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await service.close();
  });

  test.each<[string, Record<string, string>, number]>([
    ["another host's name", { host: "evil.example:80" }, 403],
    ["a name that only begins like the loopback", { host: "localhost.evil.example" }, 403],
    ["no name at all", { host: ":80" }, 403],
    ["the loopback's name", { host: "LOCALHOST:1234" }, 204],
    ["an address of the loopback", { host: "127.9.9.9" }, 204],
    ["the loopback in version 6", { host: "[::1]:80" }, 204],
    ["a web page", { origin: "https://evil.example" }, 403],
    ["a page from nowhere", { origin: "null" }, 403],
    ["a page that loads an image", { "sec-fetch-site": "cross-site" }, 403],
    ["a page on another port that loads an image", { "sec-fetch-site": "same-site" }, 403],
    ["a link on a page", crossSite("navigate", "document"), 403],
    ["what the user has entered", { "sec-fetch-site": "none" }, 204],
  ])("responds to %s: %p with %i", async (_, headers, status) => {
    const answer = await send(await openService(empty), { headers });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.headers).join()).not.toContain("access-control");
  });

  test.each<[string, Record<string, string>, number]>([
    ["a program", {}, 204],
    ["its own page", { host: "localhost:80", origin: "http://localhost:80" }, 204],
    ["its own page, by another name", { host: "localhost:80", origin: "http://127.0.0.1:80" }, 403],
    ["a page on another port", { host: "localhost:80", origin: "http://localhost:81" }, 403],
    ["a page with TLS", { host: "localhost:80", origin: "https://localhost:80" }, 403],
    ["another web page", { origin: "https://evil.example" }, 403],
    ["a page from nowhere", { origin: "null" }, 403],
    ["its own page, which loads a part", { "sec-fetch-site": "same-origin" }, 204],
    ["what the user has entered", { "sec-fetch-site": "none" }, 204],
    ["a page on another port, which loads a part", { "sec-fetch-site": "same-site" }, 403],
    ["another page, which loads a part", { "sec-fetch-site": "cross-site" }, 403],
    ["a link on another page", crossSite("navigate", "document"), 204],
    ["a frame in another page", crossSite("navigate", "iframe"), 403],
    ["another host's name", { host: "evil.example", origin: "http://evil.example" }, 403],
  ])("with pages responds to %s: %p with %i", async (_, headers, status) => {
    const service = await openService(empty, { hasPages: true });
    const answer = await send(service, { headers });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.headers).join()).not.toContain("access-control");
  });

  test.each([false, true])("refuses two Host headers, with pages: %s", async (hasPages) => {
    const { port } = await openService(empty, { hasPages });
    const headers = ["Host: localhost", "Host: evil.example", "Connection: close"];
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    socket.write(`GET / HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
    let answer = "";
    for await (const piece of socket) answer += String(piece);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test.each<[string, () => unknown, number, object]>([
    [
      "what is thrown",
      () => {
        throw new HttpFailure(418, "no coffee", { "x-pot": "tea" });
      },
      418,
      { code: 418, message: "no coffee" },
    ],
    [
      "what rejects",
      () => Promise.reject(new HttpFailure(409, "taken")),
      409,
      { code: 409, message: "taken" },
    ],
    [
      "a bug",
      () => Promise.reject(new Error("oops")),
      500,
      { code: 500, message: "this is a bug in the local services: Error: oops" },
    ],
  ])("responds with %s", async (_, listener, status, body) => {
    const answer = await send(await openService(listener));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, body]);
  });

  test("responds to a thrown error in the service's own format, if it has one", async () => {
    const service = await openService(() => Promise.reject(new HttpFailure(404, "gone")), {
      refuse: (response, failure) =>
        answerJson(response, 404, { words: String(failure) }, { "x-mine": "1" }),
    });
    const answer = await send(service);
    expect(answer.body).toBe('{"words":"Error: gone"}');
    expect(answer.headers).toMatchObject({ "x-mine": "1", "content-type": "application/json" });
  });

  test("truncates a response whose rest failed", async () => {
    const service = await openService((_, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half");
      throw new Error("no more");
    });
    await expect(send(service)).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("a body", () => {
  const echo = () =>
    openService(async (request, response) => {
      answerBytes(response, 200, await readBody(request, 1_000_000), {});
    });

  test("is read up to its limit", async () => {
    const body = "x".repeat(1_000_000);
    expect((await send(await echo(), { method: "POST", body })).body).toBe(body);
  });

  test("is refused above it, also while the client is still writing", async () => {
    const body = Buffer.alloc(5_000_000);
    const { status, body: words } = await send(await echo(), { method: "POST", body });
    expect(status).toBe(413);
    expect(words).toContain("larger than 1000000 bytes");
  });
});

test("the response to HEAD has the headers of the omitted body", async () => {
  const service = await openService((_, response) => answerJson(response, 200, { a: 1 }));
  const { headers, body } = await send(service, { method: "HEAD" });
  expect([headers["content-length"], body]).toEqual(["7", ""]);
});
