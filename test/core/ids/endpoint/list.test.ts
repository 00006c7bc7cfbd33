import { endpointList } from "../../../../src/core/ids/endpoint/list";
import {
  createTerraformHarness,
  type ListedResourceEvent,
} from "../../../../src/core/provider-kit/testing";
import { details, summaries } from "../../provider-kit/server/protocol";
import { startScriptedApi } from "../client/scripted-api";
import {
  connect,
  create,
  edge,
  type Ids,
  importEndpoint,
  name,
  patience,
  plan,
  readEndpoint,
  startIds,
  startService,
} from "../provider/ids";

const listOf = (ids: Ids) => createTerraformHarness(ids).listResource(endpointList);

async function all(
  events: AsyncIterable<ListedResourceEvent>,
): Promise<readonly ListedResourceEvent[]> {
  const found: ListedResourceEvent[] = [];
  for await (const each of events) found.push(each);
  return found;
}

/** A service with endpoints in two zones, made outside of Terraform. */
async function filled(ids: readonly string[]) {
  const service = await startService({ pollsUntilDone: 0, quota: 1_000 });
  for (const endpointId of ids) {
    const parent = `projects/acme/locations/${endpointId.startsWith("b") ? "us-central1-b" : "us-central1-a"}`;
    const endpoint = { network: edge.network, severity: "HIGH", labels: { team: "a" } };
    const requestId = crypto.randomUUID();
    await service.outsider.createEndpoint({ parent, endpointId, endpoint, requestId }, patience());
  }
  return service;
}

const names = (events: readonly ListedResourceEvent[]): readonly string[] =>
  events.map(({ displayName }) => displayName);

describe("the list of endpoints", () => {
  it("has those of all zones, with the identity by which each can be imported", async () => {
    const ids = await connect(await filled(["a1", "b1"]));
    const found = await all(listOf(ids).list());
    expect(names(found)).toEqual(["us-central1-a/a1", "us-central1-b/b1"]);
    expect(found[1]?.identity).toEqual({
      project: "acme",
      location: "us-central1-b",
      endpointId: "b1",
    });
    expect(found[1]?.state).toBeUndefined();
  });

  it("has the state that an import reads, so that the same configuration changes nothing", async () => {
    const ids = await connect(await startService({ pollsUntilDone: 0 }));
    const config = { ...edge, labels: { team: "a" }, threatExceptions: ["1"], description: "x" };
    await create(ids, config);
    const [found] = await all(listOf(ids).list({}, { includeResource: true }));
    const imported = await importEndpoint(ids, name);
    const read = await readEndpoint(ids, imported.state ?? {});
    expect(found?.state).toEqual(read.state);
    expect((await plan(ids, config, found?.state ?? null)).planned).toEqual(found?.state);
  });

  it("is filtered by the service, and by location", async () => {
    const ids = await connect(await filled(["a1", "a2", "b1"]));
    expect(names(await all(listOf(ids).list({ location: "us-central1-a" })))).toHaveLength(2);
    const filter = 'name = "projects/acme/locations/us-central1-b/endpoints/b1"';
    expect(names(await all(listOf(ids).list({ filter })))).toEqual(["us-central1-b/b1"]);
  });

  it("requests a page when its endpoints are wanted", async () => {
    const service = await filled(Array.from({ length: 501 }, (_, at) => `a${String(at)}`));
    const ids = await connect(service);
    const pages = (): number => service.requests.filter(({ method }) => method === "GET").length;
    const before = pages();
    await all(listOf(ids).list({}, { limit: 500 }));
    expect(pages() - before).toBe(1);
    expect(await all(listOf(ids).list({}, { limit: 1_000 }))).toHaveLength(501);
    expect(pages() - before).toBe(3);
  });

  it.each([
    ["the same page token twice", ["a", "a"]],
    ["page tokens in turn", ["a", "b", "a"]],
  ])("ends if the service returns %s", async (_, tokens) => {
    const api = await startScriptedApi((number) => ({
      body: { nextPageToken: tokens[number - 1] ?? "" },
    }));
    const ids = await startIds({ project: "acme", cloudIdsCustomEndpoint: api.url });
    const [failed] = await all(listOf(ids).list());
    expect(summaries(failed?.diagnostics ?? [])).toEqual(["ERROR - Unexpected Response"]);
    expect(api.requests).toHaveLength(tokens.length);
  });

  it("says why the service refuses it", async () => {
    const ids = await connect(await filled(["a1"]));
    const [failed] = await all(listOf(ids).list({ filter: "nonsense(" }));
    expect(summaries(failed?.diagnostics ?? [])).toEqual(["ERROR - Refused By The Service"]);
    expect(details(failed?.diagnostics ?? [])).toContain(
      "Could not list projects/acme/locations/-/endpoints (INVALID_ARGUMENT",
    );
  });

  it("needs a project", async () => {
    const service = await filled([]);
    const ids = await connect(service, { project: null, accessToken: "token" });
    const [failed] = await all(listOf(ids).list());
    expect(summaries(failed?.diagnostics ?? [])).toEqual(["ERROR - Missing Project"]);
  });
});
