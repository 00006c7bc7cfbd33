import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runLocalIds } from "../../../src/local/ids/command";
import { createLocalIds } from "../../../src/local/ids/local-ids";
import { body, edge, parent, refusal, start } from "./start";

describe("the server", () => {
  test.each(["0.0.0.0", "::", "192.168.1.5", "example.com"])(
    "never listens on %s",
    async (host) => {
      await expect(createLocalIds().listen({ port: 0, host })).rejects.toThrow("loopback");
    },
  );

  test("responds only to requests for the loopback interface, and to no web pages", async () => {
    const { call } = await start();
    const foreign = await call("GET", edge, { headers: { host: "evil.example:80" } });
    expect(refusal(foreign)).toMatchObject({ status: 403, code: "PERMISSION_DENIED" });
    const page = await call("GET", edge, { headers: { origin: "https://evil.example" } });
    expect(refusal(page)).toMatchObject({ status: 403 });
    expect(Object.keys(page.headers).join()).not.toContain("access-control");
    const named = await call("GET", edge, { headers: { host: "localhost" } });
    expect(named.status).toBe(404);
  });

  test("refuses a body over 1 MB", async () => {
    const { call } = await start();
    const text = JSON.stringify({ ...body, description: "x".repeat(1_000_001) });
    const answer = await call("POST", `${parent}/endpoints?endpointId=edge`, { text });
    expect(refusal(answer)).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });

  test.each([
    ["PUT", edge],
    ["POST", edge],
    ["DELETE", `${parent}/endpoints`],
    ["GET", "/v2/projects/acme/locations"],
    ["GET", "/v1/projects/acme/endpoints/edge"],
  ])("does not support %s %s", async (method, path) => {
    const { call } = await start();
    const answer = await call(method, path);
    expect(refusal(answer)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(answer.text).toContain("Method not found.");
  });

  test.each([
    ["POST", `${parent}/operations/o:cancel`],
    ["DELETE", `${parent}/operations/o`],
    ["GET", `${edge}:getIamPolicy`],
  ])("reports that %s %s is not implemented", async (method, path) => {
    const { call } = await start();
    expect(refusal(await call(method, path))).toMatchObject({ code: "UNIMPLEMENTED", status: 501 });
  });

  test("refuses malformed names in a path", async () => {
    const { call } = await start();
    const answer = await call("GET", "projects/%2e%2e/locations/l/endpoints/%ff");
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const slash = await call("GET", "projects/a%2fb/locations/l/endpoints/e");
    expect(refusal(slash)).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });

  test("describes itself at its root", async () => {
    const { call } = await start();
    expect((await call("GET", "/")).text).toMatch(/^Trivet's local back end .*\n$/);
  });
});

describe("a fault", () => {
  test("before the effect changes nothing, after it everything", async () => {
    let isAfter = false;
    const { create, call } = await start({
      faults: ({ method }) => {
        if (method !== "POST") return undefined;
        return { kind: "reset", afterEffect: isAfter };
      },
    });
    await expect(create("edge")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect((await call("GET", edge)).status).toBe(404);
    isAfter = true;
    await expect(create("edge")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect((await call("GET", edge)).status).toBe(200);
  });

  test("can be a response with headers", async () => {
    const { call } = await start({
      faults: () => ({ kind: "answer", status: 503, headers: { "retry-after": "3" } }),
    });
    const answer = await call("GET", edge);
    expect(refusal(answer)).toMatchObject({ status: 503, code: "UNAVAILABLE" });
    expect(answer.headers).toMatchObject({ "retry-after": "3" });
  });
});

describe("the state file", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trivet-local-ids-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test("keeps endpoints, running operations and request IDs over a restart", async () => {
    const stateFile = join(folder, "deep", "state.json");
    const query = "&requestId=6f2d0b6e-3d0c-4d39-9a94-0f9d1cdd4a2b";
    const before = await start({ stateFile });
    const created = await before.create("edge", body, query);
    await before.close();
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);

    const after = await start({ stateFile });
    const repeated = await after.create("edge", body, query);
    expect(repeated.json["name"]).toBe(created.json["name"]);
    await after.call("GET", edge);
    const found = await after.call("GET", edge);
    expect(found.json).toMatchObject({ state: "READY", ...body });
  });

  test("is not overwritten if it has other content", () => {
    const stateFile = join(folder, "notes.txt");
    writeFileSync(stateFile, "mine");
    expect(() => createLocalIds({ stateFile })).toThrow("not a state file");
    expect(readFileSync(stateFile, "utf8")).toBe("mine");
  });
});

describe("the command", () => {
  function output() {
    const texts: string[] = [];
    const written = new EventEmitter();
    const write = (text: string) => {
      texts.push(text);
      written.emit("text");
    };
    return { texts, write, first: once(written, "text") };
  }

  test("prints its URL and the setting, logs changes, and exits on the signal", async () => {
    const [stdout, stderr] = [output(), output()];
    const controller = new AbortController();
    const ended = runLocalIds({ port: 0, stdout, stderr, signal: controller.signal });
    await Promise.race([stdout.first, ended]);
    const printed = stdout.texts.join("");
    const [, url = ""] = /cloud_ids_custom_endpoint = "([^"]+)"/.exec(printed) ?? [];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/$/);
    const answer = await fetch(`${url}${parent}/endpoints?endpointId=edge`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    expect(stderr.texts).toEqual([`creating ${edge}\n`]);
    controller.abort();
    await ended;
    await expect(fetch(url)).rejects.toThrow();
  });

  test("names a port that is in use", async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    const { signal } = new AbortController();
    const run = runLocalIds({ port, stdout: output(), stderr: output(), signal });
    await expect(run).rejects.toThrow(`Port ${port} is already in use`);
  });
});
