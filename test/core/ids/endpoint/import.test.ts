import { details, summaries } from "../../provider-kit/server/protocol";
import {
  connect,
  create,
  edge,
  endpoints,
  importEndpoint,
  name,
  plan,
  readEndpoint,
  startService,
} from "../provider/ids";

const labels = { team: "a" };

test.each([name, "acme/us-central1-a/edge", "us-central1-a/edge"])("accepts %s", async (id) => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const config = { ...edge, labels, threatExceptions: ["1"], description: "x", trafficLogs: true };
  const state = await create(ids, config);
  const imported = await importEndpoint(ids, id);
  expect(imported.diagnostics).toEqual([]);
  const { state: found } = await readEndpoint(ids, imported.state ?? {});
  expect(found).toEqual(state);
  expect((await plan(ids, config, found)).planned).toEqual(state);
});

test("treats values that the service omits as not set", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  const imported = await importEndpoint(ids, name);
  expect((await readEndpoint(ids, imported.state ?? {})).state).toEqual(state);
});

test("of a missing endpoint imports nothing", async () => {
  const ids = await connect(await startService());
  const { state } = await importEndpoint(ids, name);
  expect((await readEndpoint(ids, state ?? {})).state).toBeNull();
});

test.each([
  "",
  "edge",
  "/edge",
  "us-central1-a/",
  "a/b/c/d",
  `/${name}`,
  `${name}/`,
  "projects/acme/locations//endpoints/edge",
  "us-central1-a/Edge",
  "acme/us-central1-a/edge-",
  "us central1/edge",
  "../edge",
])("refuses %j, with the forms", async (id) => {
  const ids = await connect(await startService());
  const { state, diagnostics } = await importEndpoint(ids, id);
  expect(state).toBeUndefined();
  expect(summaries(diagnostics)).toEqual(["ERROR - Invalid Import ID"]);
  expect(details(diagnostics)).toContain(
    "projects/{project}/locations/{location}/endpoints/{endpoint_id}",
  );
});

test("without a project needs the provider's", async () => {
  const ids = await connect(await startService(), { project: null });
  const { diagnostics } = await importEndpoint(ids, "us-central1-a/edge");
  expect(summaries(diagnostics)).toEqual(["ERROR - Missing Project"]);
});

describe("by identity", () => {
  const identity = { project: "acme", location: "us-central1-a", endpointId: "edge" };

  test.each([identity, { ...identity, project: null }])("accepts %j", async (given) => {
    const ids = await connect(await startService({ pollsUntilDone: 0 }));
    const created = await endpoints(ids).deploy(edge);
    expect(created.stored?.identity).toEqual(identity);
    const { stored, diagnostics } = await endpoints(ids).import({ identity: given });
    expect(diagnostics).toEqual([]);
    expect(stored).toEqual(created.stored);
  });

  test.each([
    { ...identity, location: "us central1" },
    { ...identity, project: "../acme" },
    { ...identity, endpointId: "Edge" },
    { ...identity, location: null },
  ])("refuses %j", async (given) => {
    const ids = await connect(await startService());
    const { stored, diagnostics } = await endpoints(ids).import({ identity: given });
    expect(stored).toBeUndefined();
    expect(summaries(diagnostics)).toEqual(["ERROR - Invalid Import Identity"]);
  });

  test("without a project needs the provider's", async () => {
    const ids = await connect(await startService(), { project: null });
    const { diagnostics } = await endpoints(ids).import({
      identity: { ...identity, project: null },
    });
    expect(summaries(diagnostics)).toEqual(["ERROR - Missing Project"]);
  });
});
