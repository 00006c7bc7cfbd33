import { randomUUID } from "node:crypto";
import { body, edge, parent, refusal, start, type Answer } from "./start";

type Server = Awaited<ReturnType<typeof start>>;

async function finish({ call }: Server, { json }: Answer): Promise<Answer> {
  const name = String(json["name"]);
  await call("GET", name);
  return call("GET", name);
}

async function startReady(): Promise<Server> {
  const server = await start();
  await finish(server, await server.create("edge", { ...body, threatExceptions: ["1"] }));
  return server;
}

describe("the life of an endpoint", () => {
  test("goes from CREATING to READY over several polls of its operation", async () => {
    const server = await start();
    const created = await server.create("edge");
    expect(created.json["name"]).toContain(`${parent}/operations/`);
    expect(created.json).toMatchObject({
      metadata: {
        createTime: "2026-03-01T12:00:00.000Z",
        target: edge,
        verb: "create",
        apiVersion: "v1",
      },
    });
    expect(created.json).not.toHaveProperty("done");
    const listed = await server.call("GET", `${parent}/endpoints`);
    expect(listed.json).toEqual({
      endpoints: [
        {
          name: edge,
          ...body,
          state: "CREATING",
          createTime: "2026-03-01T12:00:00.000Z",
          updateTime: "2026-03-01T12:00:00.000Z",
        },
      ],
    });
    const done = await finish(server, created);
    expect(done.json).toMatchObject({
      done: true,
      response: {
        "@type": "type.googleapis.com/google.cloud.ids.v1.Endpoint",
        name: edge,
        state: "READY",
      },
    });
    expect(done.text).toMatch(/"endpointIp": "10\.\d+\.\d+\.\d+"/);
    expect(done.text).toMatch(/"endpointForwardingRule": "https:.*\/forwardingRules\/ids-edge"/);
    expect(server.lines).toEqual([`creating ${edge}`, `created ${edge}`]);
  });

  test("also advances when only the endpoint is polled", async () => {
    const { create, call } = await start();
    await create("edge");
    expect((await call("GET", edge)).json).toMatchObject({ state: "CREATING" });
    expect((await call("GET", edge)).json).toMatchObject({ state: "READY" });
  });

  test("ends immediately with zero polls, and after its time with a duration", async () => {
    const instant = await start({ pollsUntilDone: 0 });
    expect((await instant.create("edge")).json).toMatchObject({ done: true });
    const timed = await start({ operationDurationMs: 30_000 });
    const operation = String((await timed.create("edge")).json["name"]);
    timed.clock.time += 29_999;
    expect((await timed.call("GET", operation)).json).not.toHaveProperty("done");
    timed.clock.time += 1;
    expect((await timed.call("GET", operation)).json).toMatchObject({ done: true });
  });

  test("keeps the old values until an update is done", async () => {
    const server = await startReady();
    const path = `${edge}?updateMask=severity`;
    const patched = await server.call("PATCH", path, { json: { severity: "LOW" } });
    expect((await server.call("GET", edge)).json).toMatchObject({
      state: "UPDATING",
      severity: "HIGH",
    });
    server.clock.time += 1_000;
    await finish(server, patched);
    const { json } = await server.call("GET", edge);
    expect(json).toMatchObject({
      state: "READY",
      severity: "LOW",
      updateTime: "2026-03-01T12:00:01.000Z",
    });
  });

  test("ends with DELETING and an Empty response", async () => {
    const server = await startReady();
    const deleted = await server.call("DELETE", edge);
    expect((await server.call("GET", edge)).json).toMatchObject({ state: "DELETING" });
    const done = await finish(server, deleted);
    expect(done.json["response"]).toEqual({ "@type": "type.googleapis.com/google.protobuf.Empty" });
    expect(refusal(await server.call("GET", edge))).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
    });
  });

  test("is busy while an operation runs", async () => {
    const server = await start();
    await server.create("edge");
    const busy = { status: 400, code: "FAILED_PRECONDITION", fields: [] };
    expect(refusal(await server.call("DELETE", edge))).toEqual(busy);
    const path = `${edge}?updateMask=severity`;
    const patched = await server.call("PATCH", path, { json: { severity: "LOW" } });
    expect(refusal(patched)).toEqual(busy);
    expect(refusal(await server.create("edge"))).toMatchObject({ code: "ALREADY_EXISTS" });
  });
});

describe("create", () => {
  test.each([
    ["Edge", body, ["endpoint_id"]],
    ["edge-", body, ["endpoint_id"]],
    ["1edge", body, ["endpoint_id"]],
    ["a".repeat(64), body, ["endpoint_id"]],
    ["", body, ["endpoint_id"]],
    ["edge", {}, ["endpoint.network", "endpoint.severity"]],
    ["edge", { ...body, severity: "SEVERITY_UNSPECIFIED" }, ["endpoint.severity"]],
    ["edge", { ...body, severity: "WORST" }, ["endpoint.severity"]],
    ["edge", { ...body, colour: "red" }, ["endpoint"]],
    ["edge", { ...body, labels: { a: 1 } }, ["endpoint.labels"]],
    ["edge", { ...body, trafficLogs: "yes" }, ["endpoint.traffic_logs"]],
    [
      "edge",
      { ...body, threatExceptions: Array.from({ length: 100 }, String) },
      ["endpoint.threat_exceptions"],
    ],
  ])("refuses %s with %j", async (endpointId, json, fields) => {
    const { create } = await start();
    const answer = refusal(await create(endpointId, json));
    expect(answer).toEqual({ status: 400, code: "INVALID_ARGUMENT", fields });
  });

  test("refuses malformed JSON and JSON that is not an object", async () => {
    const { call } = await start();
    for (const text of ["{", "[]", "1"]) {
      const answer = await call("POST", `${parent}/endpoints?endpointId=e`, { text });
      expect(refusal(answer)).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    }
  });

  test("accepts the longest ID, 99 exceptions, proto names, and output fields", async () => {
    const { create, call } = await start({ pollsUntilDone: 0 });
    const threat_exceptions = Array.from({ length: 99 }, String);
    const id = "a".repeat(63);
    const sent = { ...body, threat_exceptions, name: "x", state: "READY", description: null };
    expect(await create(id, sent)).toMatchObject({ status: 200 });
    const { json } = await call("GET", `${parent}/endpoints/${id}`);
    expect(json).toMatchObject({ name: `${parent}/endpoints/${id}` });
    expect(json["threatExceptions"]).toHaveLength(99);
    expect(json).not.toHaveProperty("description");
  });

  test("stops at the quota of the zone", async () => {
    const { create, call } = await start({ quota: 2, pollsUntilDone: 0 });
    await create("a");
    await create("b");
    expect(refusal(await create("c"))).toMatchObject({ status: 429, code: "RESOURCE_EXHAUSTED" });
    const elsewhere = "projects/acme/locations/us-east1-b/endpoints?endpointId=c";
    expect(await call("POST", elsewhere, { json: body })).toMatchObject({ status: 200 });
  });
});

describe("patch", () => {
  test.each([
    ["severity,colour", ["update_mask"]],
    ["state", ["update_mask"]],
    ["name,createTime", ["update_mask", "update_mask"]],
    ["network", ["endpoint.network"]],
    ["severity", ["endpoint.severity"]],
    ["", ["endpoint.network", "endpoint.severity"]],
  ])("with the mask %j and an empty body is refused", async (mask, fields) => {
    const { call } = await startReady();
    const answer = refusal(await call("PATCH", `${edge}?updateMask=${mask}`, { json: {} }));
    expect(answer).toEqual({ status: 400, code: "INVALID_ARGUMENT", fields });
  });

  test.each(["threatExceptions", "threat_exceptions"])("empties the list with %s", async (mask) => {
    const server = await startReady();
    const patched = await server.call("PATCH", `${edge}?updateMask=${mask}`, { json: {} });
    await finish(server, patched);
    const { json } = await server.call("GET", edge);
    expect(json).toMatchObject({ severity: "HIGH" });
    expect(json).not.toHaveProperty("threatExceptions");
  });

  test("without a mask overwrites every field", async () => {
    const server = await startReady();
    const json = { ...body, severity: "LOW" };
    await finish(server, await server.call("PATCH", edge, { json }));
    const found = await server.call("GET", edge);
    expect(found.json).toMatchObject({ severity: "LOW" });
    expect(found.json).not.toHaveProperty("threatExceptions");
  });
});

describe("a request ID", () => {
  test.each([
    "x",
    "00000000-0000-0000-0000-000000000000",
    "{6f2d0b6e-3d0c-4d39-9a94-0f9d1cdd4a2b}",
  ])("is refused when it is %s", async (id) => {
    const { create } = await start();
    const answer = refusal(await create("edge", body, `&requestId=${encodeURIComponent(id)}`));
    expect(answer).toEqual({ status: 400, code: "INVALID_ARGUMENT", fields: ["request_id"] });
  });

  test("returns the first operation for a repeat, also when both arrive together", async () => {
    const { create, lines } = await start();
    const query = `&requestId=${randomUUID()}`;
    const answers = await Promise.all([1, 2, 3].map(() => create("edge", body, query)));
    expect(new Set(answers.map(({ json }) => json["name"])).size).toBe(1);
    expect(lines.filter((line) => line.startsWith("creating"))).toHaveLength(1);
  });

  test("is remembered for exactly 60 minutes", async () => {
    const { create, clock } = await start({ pollsUntilDone: 0 });
    const query = `&requestId=${randomUUID()}`;
    await create("edge", body, query);
    clock.time += 60 * 60_000;
    expect(await create("edge", body, query)).toMatchObject({ status: 200, json: { done: true } });
    clock.time += 1;
    expect(refusal(await create("edge", body, query))).toMatchObject({ code: "ALREADY_EXISTS" });
  });

  test("is not consumed by a refused request", async () => {
    const { create } = await start();
    const query = `&request_id=${randomUUID()}`;
    expect(await create("edge", {}, query)).toMatchObject({ status: 400 });
    expect(await create("edge", body, query)).toMatchObject({ status: 200 });
  });

  test("causes repeats to be ignored, even with another body, name or method", async () => {
    const server = await startReady();
    const requestId = randomUUID();
    const first = await server.call("DELETE", `${edge}?requestId=${requestId}`);
    const other = await server.create("other", body, `&requestId=${requestId}`);
    expect(other.json["name"]).toBe(first.json["name"]);
    const missing = await server.call("GET", `${parent}/endpoints/other`);
    expect(missing).toMatchObject({ status: 404 });
  });
});

describe("list", () => {
  test("returns pages in the order of names, ascending or descending", async () => {
    const { create, call } = await start({ pollsUntilDone: 0 });
    for (const id of ["c", "a", "b"]) await create(id);
    const names = ({ json }: Answer) =>
      [...JSON.stringify(json).matchAll(/endpoints\/([a-z]+)"/g)].map(([, id]) => id);
    const first = await call("GET", `${parent}/endpoints?pageSize=2`);
    expect(names(first)).toEqual(["a", "b"]);
    const token = String(first.json["nextPageToken"]);
    const second = await call("GET", `${parent}/endpoints?pageSize=2&pageToken=${token}`);
    expect(names(second)).toEqual(["c"]);
    expect(second.json).not.toHaveProperty("nextPageToken");
    const down = await call("GET", "projects/acme/locations/-/endpoints?orderBy=name%20desc");
    expect(names(down)).toEqual(["c", "b", "a"]);
  });

  test.each([
    ["filter=color%3Dred", "filter"],
    ["filter=state%3D", "filter"],
    ["filter=(state%3DREADY", "filter"],
    ["filter=state%3DREADY)", "filter"],
    ["filter=state%20READY", "filter"],
    [`filter=${"(".repeat(50)}state%3DREADY${")".repeat(50)}`, "filter"],
    ["orderBy=color", "order_by"],
    ["orderBy=name%20down", "order_by"],
    ["pageSize=-1", "page_size"],
    ["pageToken=x", "page_token"],
    ["colour=red", "colour"],
  ])("refuses %s", async (query, field) => {
    const { call } = await start();
    const answer = refusal(await call("GET", `${parent}/endpoints?${query}`));
    expect(answer).toEqual({ status: 400, code: "INVALID_ARGUMENT", fields: [field] });
  });

  test.each([
    ["severity = LOW", ["a", "c"]],
    ["severity != LOW", ["b"]],
    ["labels.team = blue AND severity = LOW", ["a"]],
    ["labels.team = blue severity = LOW", ["a"]],
    ["labels.team:*", ["a", "b"]],
    ["labels:team", ["a", "b"]],
    ["threat_exceptions:7", ["c"]],
    ['description = "two words" OR threatExceptions:7', ["b", "c"]],
    ['description = "two*"', ["b"]],
    ["NOT severity = LOW", ["b"]],
    ["-severity = LOW", ["b"]],
    ["severity = LOW AND (labels.team = blue OR threatExceptions:7)", ["a", "c"]],
    ["severity = HIGH OR severity = LOW AND labels.team = blue", ["a", "b"]],
    ['createTime > "2000-01-01T00:00:00Z" AND state = READY', ["a", "b", "c"]],
    ["trafficLogs = true", ["b"]],
    ["", ["a", "b", "c"]],
  ])("returns what a filter selects: %s", async (filter, expected) => {
    const { create, call } = await start({ pollsUntilDone: 0 });
    const labels = { team: "blue" };
    await create("a", { ...body, severity: "LOW", labels });
    await create("b", { ...body, description: "two words", labels, trafficLogs: true });
    await create("c", { ...body, severity: "LOW", threatExceptions: ["7"] });
    const query = `filter=${encodeURIComponent(filter)}&pageSize=2`;
    const found: string[] = [];
    for (let token = ""; ;) {
      const { json } = await call("GET", `${parent}/endpoints?${query}&pageToken=${token}`);
      const page = JSON.stringify(json).matchAll(/endpoints\/([a-z]+)"/g);
      found.push(...[...page].map(([, id = ""]) => id));
      const { nextPageToken: next } = json;
      token = typeof next === "string" ? next : "";
      if (token === "") break;
    }
    expect(found).toEqual(expected);
  });

  test("is in the order of several fields", async () => {
    const { create, call } = await start({ pollsUntilDone: 0 });
    for (const [id, severity] of [
      ["a", "LOW"],
      ["b", "HIGH"],
      ["c", "LOW"],
    ] as const) {
      await create(id, { ...body, severity });
    }
    const order = encodeURIComponent("severity, name desc");
    const { json } = await call("GET", `${parent}/endpoints?orderBy=${order}`);
    const ids = JSON.stringify(json).matchAll(/endpoints\/([a-z]+)"/g);
    expect([...ids].map(([, id]) => id)).toEqual(["b", "c", "a"]);
  });

  test("includes operations and locations", async () => {
    const { create, call } = await start();
    const { json } = await create("edge");
    const operations = await call("GET", `${parent}/operations`);
    expect(operations.json).toMatchObject({ operations: [{ name: json["name"] }] });
    const locations = await call("GET", "projects/acme/locations");
    expect(JSON.stringify(locations.json)).toContain('"locationId":"us-central1-f"');
    expect((await call("GET", parent)).json).toEqual({ name: parent, locationId: "us-central1-a" });
  });
});

describe("the test of permissions", () => {
  const asked = { permissions: ["ids.endpoints.get", "ids.endpoints.delete"] };

  test("grants all of them on an endpoint, and none on a missing one", async () => {
    const { create, call } = await start({ pollsUntilDone: 0 });
    await create("edge");
    const ask = (id: string, sent: object) =>
      call("POST", `${parent}/endpoints/${id}:testIamPermissions`, { json: sent });
    expect((await ask("edge", asked)).json).toEqual(asked);
    expect((await ask("none", asked)).json).toEqual({});
    expect(refusal(await ask("edge", { permissions: ["ids.*"] }))).toMatchObject({
      fields: ["permissions"],
    });
  });
});
