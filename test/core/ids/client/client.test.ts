import { randomUUID } from "node:crypto";
import { failureOf, name, network, parent, startService } from "./service";

const endpoint = { network, severity: "HIGH", threatExceptions: ["1", "2"], trafficLogs: true };

function createRequest() {
  return { parent, endpointId: "edge", endpoint, requestId: randomUUID() };
}

async function startWithEndpoint() {
  const service = await startService();
  const { client, options } = service;
  await client.waitForOperation(await client.createEndpoint(createRequest(), options), options);
  return service;
}

describe("the REST client", () => {
  test("creates an endpoint and waits until it is ready", async () => {
    const { client, options, clock } = await startService();
    const operation = await client.createEndpoint(createRequest(), options);
    expect(operation).toMatchObject({ done: false });
    expect(operation.name).toMatch(/^projects\/acme\/locations\/us-central1-a\/operations\//);
    await client.waitForOperation(operation, options);
    expect(clock.sleeps).toEqual([5_000, 10_000]);
    const found = await client.getEndpoint(name, options);
    expect(found).toMatchObject({ name, state: "READY", ...endpoint, description: "", labels: {} });
    expect(found.endpointIp).toMatch(/^10\./);
  });

  test("sends the fields of the endpoint and a User-Agent", async () => {
    const service = await startService({ client: { version: "1.2.3" } });
    const request = createRequest();
    await service.client.createEndpoint(
      { ...request, endpoint: { ...endpoint, description: "", labels: {}, trafficLogs: false } },
      service.options,
    );
    const [sent] = service.requests;
    expect(sent).toMatchObject({ method: "POST", path: `/v1/${parent}/endpoints` });
    expect(Object.fromEntries(sent?.query ?? [])).toEqual({
      endpointId: "edge",
      requestId: request.requestId,
      alt: "json",
    });
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      network,
      severity: "HIGH",
      threatExceptions: ["1", "2"],
    });
    expect(sent?.headers).toMatchObject({ "user-agent": "trivet-ids/1.2.3" });
    expect(sent?.headers["authorization"]).toBeUndefined();
  });

  test("patches exactly the fields of the mask", async () => {
    const { client, options, requests } = await startWithEndpoint();
    const operation = await client.patchEndpoint(
      {
        name,
        updateMask: ["severity", "description"],
        endpoint: { ...endpoint, severity: "LOW", description: "new" },
        requestId: randomUUID(),
      },
      options,
    );
    const sent = requests.at(-1);
    expect(sent?.query.get("updateMask")).toBe("severity,description");
    expect(JSON.parse(sent?.body ?? "")).toEqual({ severity: "LOW", description: "new" });
    await client.waitForOperation(operation, options);
    const found = await client.getEndpoint(name, options);
    expect(found).toMatchObject({ ...endpoint, severity: "LOW", description: "new" });
  });

  test("empties a list by naming it in the mask and leaving it out of the body", async () => {
    const { client, options, requests } = await startWithEndpoint();
    const operation = await client.patchEndpoint(
      {
        name,
        updateMask: ["threatExceptions"],
        endpoint: { threatExceptions: [] },
        requestId: randomUUID(),
      },
      options,
    );
    expect(requests.at(-1)?.body).toBe("{}");
    await client.waitForOperation(operation, options);
    expect(await client.getEndpoint(name, options)).toMatchObject({ threatExceptions: [] });
  });

  test.each([
    ["an empty mask", []],
    ["what cannot be written", ["severity", "requestId"]],
  ])("refuses a mask with %s before anything is sent", async (_, updateMask) => {
    const { client, options, requests } = await startService();
    const patch = client.patchEndpoint(
      { name, updateMask, endpoint, requestId: randomUUID() },
      options,
    );
    await expect(patch).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });

  test("deletes an endpoint, after which it is not found", async () => {
    const { client, options } = await startWithEndpoint();
    const operation = await client.deleteEndpoint({ name, requestId: randomUUID() }, options);
    expect(await client.getEndpoint(name, options)).toMatchObject({ state: "DELETING" });
    await client.waitForOperation(operation, options);
    const failure = await failureOf(client.getEndpoint(name, options));
    expect(failure).toMatchObject({ code: "NOT_FOUND", httpStatus: 404 });
  });

  test.each([
    "projects/acme/locations/us-central1-a",
    "projects/acme/locations/../endpoints/edge",
    "projects/acme/locations//endpoints/edge",
    "projects/a?b/locations/z/endpoints/edge",
    "https://example.com/projects/acme/locations/z/endpoints/edge",
  ])("sends nothing for the name %s", async (bad) => {
    const { client, options, requests } = await startService();
    expect(await failureOf(client.getEndpoint(bad, options))).toMatchObject({ code: "SETTINGS" });
    expect(requests).toEqual([]);
  });

  test("reports the server's field violations", async () => {
    const { client, options } = await startService();
    const create = client.createEndpoint({ ...createRequest(), endpointId: "Edge" }, options);
    const failure = await failureOf(create);
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", httpStatus: 400 });
    expect(failure.fieldViolations.map(({ field }) => field)).toEqual(["endpoint_id"]);
  });
});
