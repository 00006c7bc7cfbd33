import { details, summaries } from "../../provider-kit/server/protocol";
import {
  connect,
  create,
  edge,
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
