import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { details, told } from "../../provider-kit/server/protocol";
import { skipTime } from "../../skip-time";
import {
  apply,
  connect,
  create,
  edge,
  folder,
  type Ids,
  name,
  plan,
  readEndpoint,
  startService,
} from "../provider/ids";

const uuid = "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6f";

const isCreation = ({ method }: { readonly method: string }): boolean => method === "POST";

test("an endpoint that exists names the command that imports it", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  await create(ids);
  const { state, diagnostics } = await apply(ids, edge);
  expect(state).toBeNull();
  expect(told(diagnostics)).toEqual(["ERROR endpoint_id Endpoint Already Exists"]);
  expect(details(diagnostics)).toContain(`terraform import ADDRESS ${name}`);
  expect(details(diagnostics)).toContain("(ALREADY_EXISTS)");
});

test.each<[string, object, string]>([
  ["no network", { network: null }, "network"],
  ["no severity", { severity: null }, "severity"],
  [
    "too many exceptions",
    { threatExceptions: Array.from({ length: 100 }, String) },
    "threat_exceptions",
  ],
])("the service's refusal of %s is at the attribute", async (_name, change, path) => {
  const service = await startService();
  const ids = await connect(service);
  const { state, diagnostics } = await apply(ids, { ...edge, ...change });
  expect(state).toBeNull();
  expect(told(diagnostics)).toEqual([`ERROR ${path} Refused By The Service`]);
});

test("a refused update keeps the state, and explains how to replace the endpoint", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  const failed = await apply(ids, { ...edge, network: null }, state);
  expect(failed.state).toEqual(state);
  expect(told(failed.diagnostics)).toEqual(["ERROR network Refused By The Service"]);
  expect(details(failed.diagnostics)).toContain("plan with -replace=ADDRESS");
});

test("an update of a missing endpoint is reported", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  await apply(ids, null, state);
  const { diagnostics } = await apply(ids, { ...edge, severity: "LOW" }, state);
  expect(told(diagnostics)).toEqual(["ERROR - Endpoint Not Found"]);
});

test("a failed operation keeps the name, so that the endpoint stays in the state", async () => {
  const operationFailure = () => ({ code: 9, message: "no private services access", details: [] });
  const service = await startService({ operationFailure });
  const ids = await connect(service);
  const { state, diagnostics } = await apply(ids, edge);
  expect(state).toMatchObject({ ...edge, id: name, name, endpointIp: null });
  expect(told(diagnostics)).toEqual(["ERROR - Precondition Not Met"]);
  expect(details(diagnostics)).toMatch(/The operation is projects\/acme\/.*\/operations\//);
  expect(details(diagnostics)).toContain('The service responded: "no private services access"');
  expect((await readEndpoint(ids, state ?? {})).state).toBeNull();
});

test("an interrupted creation keeps the name", async () => {
  const service = await startService({ operationDurationMs: 3_600_000 });
  const ids = await connect(service);
  let stopped: Promise<unknown> | undefined;
  service.fault = ({ path }) => {
    if (path.includes("/operations/")) stopped ??= ids.stopProvider({});
    return undefined;
  };
  const { state, diagnostics } = await apply(ids, edge);
  expect(await stopped).toEqual({ error: "" });
  expect(state).toMatchObject({ ...edge, id: name, name, state: null });
  expect(told(diagnostics)).toEqual(["ERROR - Interrupted"]);
  expect(details(diagnostics)).toMatch(/The operation is projects\//);
});

test("a creation that exceeds its timeout keeps the name, and names the timeout", async () => {
  const clock = { now: () => 0 };
  const service = await startService({ operationDurationMs: 1, clock });
  const ids = await connect(service);
  // The hour has passed when the operation is first polled.
  service.fault = ({ path }) => {
    if (path.includes("/operations/")) skipTime(3_600_000);
    return undefined;
  };
  const timeouts = { create: "1h", update: null, delete: null };
  const { state, diagnostics } = await apply(ids, { ...edge, timeouts });
  expect(state).toMatchObject({ id: name, timeouts });
  expect(told(diagnostics)).toEqual(["ERROR - Operation Timed Out"]);
  expect(details(diagnostics)).toContain('timeouts { create = "…" }');
});

test("a request that the service ignored as a repeat is reported", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const config = { ...edge, requestId: uuid };
  const state = await create(ids, config);
  await apply(ids, null, state);
  const { diagnostics } = await apply(ids, { ...config, endpointId: "rim" });
  expect(told(diagnostics)).toEqual(["ERROR request_id Request Ignored By The Service"]);
  expect(details(diagnostics)).toContain(`has received ${uuid} before`);
});

describe("after a process that was killed during a creation", () => {
  /** Leaves an intent behind, as a killed process does: a request with an unknown outcome. */
  async function killed(config: object, before: "effect" | "answer") {
    const service = await startService({ pollsUntilDone: 0 });
    const home = folder();
    const reconnect = (): Promise<Ids> => connect(service, {}, { XDG_STATE_HOME: home });
    const first = await reconnect();
    service.fault = (request) => {
      if (!isCreation(request)) return undefined;
      void first.stopProvider({});
      return before === "effect" ? { kind: "reset" } : { kind: "never answer", afterEffect: true };
    };
    expect((await apply(first, { ...edge, ...config })).state).toBeNull();
    service.fault = () => undefined;
    const intents = join(home, "trivet", "intents");
    const [file = ""] = await readdir(intents);
    const entry = JSON.parse(await readFile(join(intents, file), "utf8")) as object;
    await writeFile(join(intents, file), JSON.stringify({ ...entry, pid: 99_999_999 }));
    return { service, intents, second: await reconnect() };
  }

  test("the next one sends the same request, and there is one endpoint", async () => {
    const { service, intents, second } = await killed({}, "answer");
    const state = await create(second);
    expect(state).toMatchObject({ ...edge, id: name });
    const keys = service.requests.filter(isCreation).map(({ query }) => query.get("requestId"));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(intents)).toEqual([]);
  });

  test("the next one writes the values that have changed since then", async () => {
    const { service, second } = await killed({ description: "before" }, "answer");
    const state = await create(second, { ...edge, description: "after" });
    expect(state).toMatchObject({ description: "after" });
    expect(service.mutations()).toEqual(["POST", "POST", "PATCH description"]);
  });

  test("the next one creates an endpoint that was not created", async () => {
    const { service, second } = await killed({}, "effect");
    expect(await create(second)).toMatchObject({ id: name, state: "READY" });
    const keys = service.requests.filter(isCreation).map(({ query }) => query.get("requestId"));
    expect(new Set(keys).size).toBe(1);
  });

  test("the next one creates an endpoint again that was deleted in the meantime", async () => {
    const { service, second } = await killed({}, "answer");
    const call = { signal: new AbortController().signal, deadline: Date.now() + 3_600_000 };
    await service.outsider.deleteEndpoint({ name, requestId: uuid }, call);
    expect(await create(second)).toMatchObject({ id: name, state: "READY" });
  });
});

test("a lost response does not create a second endpoint", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  let isLost = false;
  service.fault = (request) => {
    if (isLost || !isCreation(request)) return undefined;
    isLost = true;
    return { kind: "answer", status: 503, afterEffect: true, headers: { "retry-after": "0" } };
  };
  expect(await create(ids)).toMatchObject({ id: name, state: "READY" });
  expect(service.mutations()).toEqual(["POST", "POST"]);
});

test("an unreachable service is reported, with the fix", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const { planned } = await plan(ids, edge);
  expect(planned).not.toBeNull();
  service.fault = () => ({ kind: "answer", status: 403 });
  const { diagnostics } = await apply(ids, edge);
  expect(told(diagnostics)).toEqual(["ERROR - Permission Denied"]);
  expect(details(diagnostics)).toContain("roles/ids.admin");
});
