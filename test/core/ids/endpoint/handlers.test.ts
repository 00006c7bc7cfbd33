import { endpoint } from "../../../../src/core/ids/endpoint/declare";
import { UNKNOWN } from "../../../../src/core/schema";
import {
  apply,
  connect,
  create,
  edge,
  name,
  patience,
  plan,
  readEndpoint,
  startService,
  validate,
} from "../provider/ids";

const uuid = "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6f";

test("plans the name, and creates, reads and deletes", async () => {
  const service = await startService();
  const ids = await connect(service);
  const { planned } = await plan(ids, edge);
  expect(planned).toMatchObject({
    id: name,
    name,
    project: "acme",
    location: "us-central1-a",
    trafficLogs: false,
    state: UNKNOWN,
    createTime: UNKNOWN,
  });
  const state = await create(ids);
  expect(state).toMatchObject({ ...edge, id: name, state: "READY", requestId: null });
  expect(state["endpointIp"]).toMatch(/^10\./);
  expect((await readEndpoint(ids, state)).state).toEqual(state);
  expect((await plan(ids, edge, state)).planned).toEqual(state);
  expect((await apply(ids, null, state)).state).toBeNull();
  expect(service.mutations()).toEqual(["POST", "DELETE"]);
  const sent = service.requests.find(({ method }) => method === "POST");
  expect(JSON.parse(sent?.body ?? "")).toEqual({ network: edge.network, severity: "HIGH" });
  expect(sent?.query.get("requestId")).toMatch(/^[\da-f-]{36}$/);
  expect((await readEndpoint(ids, state)).state).toBeNull();
});

test("sends the user's request_id only for the creation", async () => {
  const service = await startService();
  const ids = await connect(service);
  const config = { ...edge, requestId: uuid };
  const state = await create(ids, config);
  const updated = await create(ids, { ...config, description: "x" }, state);
  await apply(ids, null, updated);
  const sent = service.requests.filter(({ method }) => method !== "GET");
  expect(sent.map(({ query }) => query.get("requestId") === uuid)).toEqual([true, false, false]);
  expect(new Set(sent.map(({ query }) => query.get("requestId"))).size).toBe(3);
});

describe("an update writes exactly the changed fields", () => {
  const from = {
    ...edge,
    description: "a",
    labels: { team: "a" },
    threatExceptions: ["1"],
    trafficLogs: false,
  };

  test.each<[string, object, object]>([
    [
      "network",
      { network: "projects/acme/global/networks/b" },
      { network: "projects/acme/global/networks/b" },
    ],
    ["severity", { severity: "LOW" }, { severity: "LOW" }],
    ["description", { description: "b" }, { description: "b" }],
    ["description", { description: null }, {}],
    ["labels", { labels: { team: "b", x: "y" } }, { labels: { team: "b", x: "y" } }],
    ["threatExceptions", { threatExceptions: ["1", "2"] }, { threatExceptions: ["1", "2"] }],
    ["threatExceptions", { threatExceptions: [] }, {}],
    ["threatExceptions", { threatExceptions: null }, {}],
    ["trafficLogs", { trafficLogs: true }, { trafficLogs: true }],
    [
      "severity,trafficLogs",
      { severity: "LOW", trafficLogs: true },
      { severity: "LOW", trafficLogs: true },
    ],
  ])("%s: %j", async (mask, change, body) => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await connect(service);
    const state = await create(ids, from);
    const updated = await create(ids, { ...from, ...change }, state);
    expect(service.mutations()).toEqual(["POST", `PATCH ${mask}`]);
    expect(
      JSON.parse(service.requests.find(({ method }) => method === "PATCH")?.body ?? ""),
    ).toEqual(body);
    expect(updated).toMatchObject({ ...from, ...change, createTime: state["createTime"] });
    expect((await readEndpoint(ids, updated)).state).toEqual(updated);
    expect((await plan(ids, { ...from, ...change }, updated)).planned).toEqual(updated);
  });
});

describe("the addresses of an endpoint, and that it is ready,", () => {
  const kept = ["endpointIp", "endpointForwardingRule", "state"] as const;

  test("are known in the plan of an update, and stay the same", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await connect(service);
    const state = await create(ids);
    const { planned } = await plan(ids, { ...edge, severity: "LOW" }, state);
    expect(planned).toMatchObject({ updateTime: UNKNOWN });
    for (const each of kept) expect(planned?.[each]).toBe(state[each]);
    const updated = await create(ids, { ...edge, severity: "LOW" }, state);
    for (const each of kept) expect(updated[each]).toBe(state[each]);
  });

  test("are not known when the network changes, or while the endpoint is not ready", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await connect(service);
    const state = await create(ids);
    const network = "projects/acme/global/networks/other";
    const { planned } = await plan(ids, { ...edge, network }, state);
    for (const each of kept) expect(planned?.[each]).toBe(UNKNOWN);
    const early = { ...state, endpointIp: "", endpointForwardingRule: null, state: "CREATING" };
    const later = await plan(ids, { ...edge, severity: "LOW" }, early);
    for (const each of kept) expect(later.planned?.[each]).toBe(UNKNOWN);
  });
});

test.each<[string, object]>([
  ["a request_id", { requestId: uuid }],
  ["a timeout", { timeouts: { create: "2h", update: null, delete: null } }],
  [
    "another spelling of the network",
    { network: `https://www.googleapis.com/compute/v1/${edge.network}` },
  ],
  ["an empty description", { description: "" }],
  ["no exceptions", { threatExceptions: [] }],
])("%s changes the state only, without a request", async (_name, change) => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  service.requests.length = 0;
  const updated = await create(ids, { ...edge, ...change }, state);
  expect(service.requests).toEqual([]);
  expect(updated).toEqual({ ...state, ...change });
});

test.each([
  ["endpointId", { endpointId: "rim" }, "endpoint_id"],
  ["location", { location: "us-central1-b" }, "location"],
  ["project", { project: "other" }, "project"],
])("a changed %s plans a replacement", async (_name, change, wire) => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  const { replaces, planned } = await plan(ids, { ...edge, ...change }, state);
  expect(replaces).toEqual([wire]);
  expect(planned?.["name"]).not.toBe(name);
});

describe("changes by others", () => {
  const outside = async (config: object, change: object) => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await connect(service);
    const state = await create(ids, { ...edge, ...config });
    const request = { name, updateMask: Object.keys(change), endpoint: change, requestId: uuid };
    await service.outsider.patchEndpoint(request, patience());
    const { state: found } = await readEndpoint(ids, state);
    if (!found) throw new Error("the endpoint is gone");
    return { service, ids, state, found };
  };

  test("to our values is drift", async () => {
    const change = {
      description: "theirs",
      severity: "LOW",
      threatExceptions: ["9"],
      trafficLogs: true,
    };
    const { found } = await outside({}, change);
    expect(found).toMatchObject(change);
  });

  test("to the network's form is not drift", async () => {
    const network = `https://www.googleapis.com/compute/v1/${edge.network}`;
    const { state, found } = await outside({}, { network });
    expect(found["network"]).toBe(state["network"]);
  });

  test("with additional labels is not drift, and is kept when we change ours", async () => {
    const labels = { team: "a", theirs: "x" };
    const { service, ids, found } = await outside(
      { labels: { team: "a", old: "o" } },
      { labels: { ...labels, old: "o" } },
    );
    expect(found["labels"]).toEqual({ team: "a", old: "o" });
    const updated = await create(ids, { ...edge, labels: { team: "b" } }, found);
    expect(updated["labels"]).toEqual({ team: "b" });
    const { labels: real } = await service.outsider.getEndpoint(name, patience());
    expect(real).toEqual({ team: "b", theirs: "x" });
  });

  test("with labels is not drift if we have none", async () => {
    expect((await outside({}, { labels: { theirs: "x" } })).found["labels"]).toBeNull();
  });

  test("a running deletion is shown until it ends", async () => {
    const service = await startService();
    const ids = await connect(service);
    const state = await create(ids);
    await service.outsider.deleteEndpoint({ name, requestId: uuid }, patience());
    expect((await readEndpoint(ids, state)).state).toMatchObject({ state: "DELETING" });
    expect((await readEndpoint(ids, state)).state).toBeNull();
    expect(await apply(ids, null, state)).toMatchObject({ state: null, diagnostics: [] });
  });
});

test("a severity that is new in the service survives a read", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  const body = JSON.stringify({ name, severity: "EXTREME", network: edge.network, state: "READY" });
  service.fault = () => ({ kind: "answer", status: 200, body });
  expect((await readEndpoint(ids, state)).state).toMatchObject({ severity: "EXTREME" });
});

test("a response that is not the API's does not remove an endpoint from the state", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  service.fault = () => ({ kind: "answer", status: 404, body: "<html>" });
  const { state: found, diagnostics } = await readEndpoint(ids, state);
  expect(found).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
});

test("an unknown part leaves the name unknown", async () => {
  const service = await startService();
  const ids = await connect(service);
  for (const open of ["endpointId", "project", "location"]) {
    const { planned } = await plan(ids, { ...edge, [open]: UNKNOWN });
    expect(planned).toMatchObject({ id: UNKNOWN, name: UNKNOWN, [open]: UNKNOWN });
  }
});

test("a state is taken over as it is", async () => {
  const ids = await connect(await startService());
  const json = Buffer.from('{"endpoint_id":"edge"}');
  const request = { typeName: endpoint.type, version: 0, rawState: { json } };
  expect((await ids.upgradeResourceState(request)).upgradedState?.json).toEqual(json);
  expect(await validate(ids, edge)).toEqual([]);
});
