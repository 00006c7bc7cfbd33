import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { details, summaries } from "../../provider-kit/server/protocol";
import { skipTime } from "../../../skip-time";
import {
  apply,
  connect,
  create,
  edge,
  endpoints,
  folder,
  type Ids,
  name,
  patience,
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
  expect(summaries(diagnostics)).toEqual(["ERROR endpoint_id Endpoint Already Exists"]);
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
  expect(summaries(diagnostics)).toEqual([`ERROR ${path} Refused By The Service`]);
});

test("a refused update keeps the state, and explains how to replace the endpoint", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  const failed = await apply(ids, { ...edge, network: null }, state);
  expect(failed.state).toEqual(state);
  expect(summaries(failed.diagnostics)).toEqual(["ERROR network Refused By The Service"]);
  expect(details(failed.diagnostics)).toContain("plan with -replace=ADDRESS");
});

test("an update of a missing endpoint is reported", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const state = await create(ids);
  await apply(ids, null, state);
  const { diagnostics } = await apply(ids, { ...edge, severity: "LOW" }, state);
  expect(summaries(diagnostics)).toEqual(["ERROR - Endpoint Not Found"]);
});

test("a failed operation keeps the name, so that the endpoint stays in the state", async () => {
  const operationFailure = () => ({ code: 9, message: "no private services access", details: [] });
  const service = await startService({ operationFailure });
  const ids = await connect(service);
  const { state, diagnostics } = await apply(ids, edge);
  expect(state).toMatchObject({ ...edge, id: name, name, endpointIp: null });
  expect(summaries(diagnostics)).toEqual(["ERROR - Precondition Not Met"]);
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
  expect(summaries(diagnostics)).toEqual(["ERROR - Interrupted"]);
  expect(details(diagnostics)).toMatch(/The operation is projects\//);
});

describe("a creation that exceeds its timeout", () => {
  const timeouts = { create: "1h", update: null, delete: null };
  const config = { ...edge, timeouts };

  /** Applies until the timeout: the hour has passed when the operation is polled once. */
  async function timedOut(given: object = {}, home = folder()) {
    const time = { now: Date.parse("2026-03-01T12:00:00Z") };
    const service = await startService({
      operationDurationMs: 2 * 3_600_000,
      clock: { now: () => time.now },
    });
    const reconnect = () => connect(service, {}, { XDG_STATE_HOME: home });
    service.fault = ({ path }) => {
      if (path.includes("/operations/")) skipTime(3_600_000);
      return undefined;
    };
    const { state, diagnostics } = await apply(await reconnect(), { ...config, ...given });
    service.fault = () => undefined;
    return { service, state, diagnostics, time, reconnect };
  }

  test("names the operation, its last known state, the timeout and the way on", async () => {
    const { state, diagnostics } = await timedOut();
    expect(state).toBeNull();
    expect(summaries(diagnostics)).toEqual(["ERROR - Operation Timed Out"]);
    const text = details(diagnostics);
    expect(text).toMatch(/the operation projects\/acme\/\S+ was still running at the deadline/);
    expect(text).toContain('since 2026-03-01T12:00:00.000Z, and last said "creating"');
    expect(text).toContain('timeouts { create = "…" }');
    expect(text).toContain(
      `In another folder or on another machine, import it: terraform import ADDRESS ${name}`,
    );
  });

  test("is continued by the next apply, without another request", async () => {
    const { service, time, reconnect } = await timedOut();
    const ids = await reconnect();
    service.fault = ({ path }) => {
      if (path.includes("/operations/")) time.now += 2 * 3_600_000;
      return undefined;
    };
    expect(await create(ids, config)).toMatchObject({ id: name, state: "READY" });
    expect(service.mutations()).toEqual(["POST"]);
    await create(ids, { ...config, endpointId: "rim" });
    expect(service.mutations()).toEqual(["POST", "POST"]);
  });

  test("is found by an apply days later, with the values that have changed since then", async () => {
    const { service, time, reconnect } = await timedOut({ description: "before" });
    time.now += 3 * 24 * 3_600_000;
    service.fault = ({ path }) => {
      if (path.includes("/operations/")) time.now += 3 * 3_600_000;
      return undefined;
    };
    const state = await create(await reconnect(), { ...config, description: "after" });
    expect(state).toMatchObject({ id: name, state: "READY", description: "after" });
    expect(service.mutations()).toEqual(["POST", "PATCH description"]);
  });

  test("is also continued with a request ID of the user's", async () => {
    const { service, time, reconnect } = await timedOut({ requestId: uuid });
    time.now += 3 * 3_600_000;
    expect(await create(await reconnect(), { ...config, requestId: uuid })).toMatchObject({
      id: name,
      requestId: uuid,
    });
    expect(service.mutations()).toEqual(["POST"]);
  });

  test("is begun again if the endpoint does not exist any more", async () => {
    const { service, time, reconnect } = await timedOut();
    time.now += 3 * 3_600_000;
    await service.outsider.deleteEndpoint({ name, requestId: uuid }, patience());
    time.now += 3 * 3_600_000;
    service.fault = ({ path }) => {
      if (path.includes("/operations/")) time.now += 3 * 3_600_000;
      return undefined;
    };
    expect(await create(await reconnect(), config)).toMatchObject({ state: "READY" });
    const creations = service.requests.filter(isCreation);
    expect(new Set(creations.map(({ query }) => query.get("requestId"))).size).toBe(2);
  });

  test("keeps the name in the state when it could not be continued", async () => {
    const home = join(folder(), "file");
    await writeFile(home, "");
    const { state, diagnostics } = await timedOut({}, home);
    expect(state).toMatchObject({ id: name, timeouts });
    expect(details(diagnostics)).not.toContain("terraform import");
  });
});

test("a request that the service ignored as a repeat is reported", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const config = { ...edge, requestId: uuid };
  const state = await create(ids, config);
  await apply(ids, null, state);
  const { diagnostics } = await apply(ids, { ...config, endpointId: "rim" });
  expect(summaries(diagnostics)).toEqual(["ERROR request_id Request Ignored By The Service"]);
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
    const elsewhere = async (): Promise<Ids> => {
      const cwd = jest.spyOn(process, "cwd").mockReturnValue("/stacks/other");
      const ids = await reconnect();
      cwd.mockRestore();
      return ids;
    };
    return { service, intents, second: await reconnect(), elsewhere };
  }

  test("the next one sends the same request, and there is one endpoint", async () => {
    const { service, intents, second } = await killed({}, "answer");
    const state = await create(second);
    expect(state).toMatchObject({ ...edge, id: name });
    const keys = service.requests.filter(isCreation).map(({ query }) => query.get("requestId"));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    // Kept until Terraform shows that it has received the response.
    expect(await readdir(intents)).toHaveLength(1);
    await readEndpoint(second, state);
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

  test("one in another working folder does not take the endpoint over", async () => {
    const { service, intents, second, elsewhere } = await killed({}, "answer");
    const { state, diagnostics } = await apply(await elsewhere(), { ...edge, severity: "LOW" });
    expect(state).toBeNull();
    expect(summaries(diagnostics)).toEqual(["ERROR endpoint_id Endpoint Already Exists"]);
    expect(details(diagnostics)).toContain(`terraform import ADDRESS ${name}`);
    expect(service.mutations()).toEqual(["POST", "POST"]);
    expect(await readdir(intents)).toHaveLength(1);
    expect(await create(second)).toMatchObject({ ...edge, id: name });
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

/** The diagnostics of a creation to which the service responds with this error. */
async function refused(status: number, error: object, headers?: Readonly<Record<string, string>>) {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service, {}, {});
  const body = JSON.stringify({ error: { code: status, ...error } });
  service.fault = (request) =>
    isCreation(request) ? { kind: "answer", status, body, headers } : undefined;
  const { diagnostics } = await apply(ids, { ...edge, timeouts: seconds });
  return { service, diagnostics, text: details(diagnostics) };
}

const seconds = { create: "30s", update: null, delete: null };

describe("an API that is not enabled", () => {
  const info = (metadata: object) => ({
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: "SERVICE_DISABLED",
    domain: "googleapis.com",
    metadata,
  });
  const help = (url: string) => ({
    "@type": "type.googleapis.com/google.rpc.Help",
    links: [{ description: "Google developers console API activation", url }],
  });
  const page =
    "https://console.developers.google.com/apis/api/ids.googleapis.com/overview?project=1";
  const denied = (...details: object[]) => ({
    status: "PERMISSION_DENIED",
    message: "no",
    details,
  });
  const service = { service: "ids.googleapis.com", consumer: "projects/1" };

  test("is named, with the page where it can be enabled", async () => {
    const { diagnostics, text } = await refused(403, denied(info(service), help(page)));
    expect(summaries(diagnostics)).toEqual(["ERROR - API Not Enabled"]);
    expect(text).toContain(`Enable ids.googleapis.com at ${page}, or with gcloud services enable`);
    expect(text).toContain("gcloud services enable ids.googleapis.com --project acme");
  });

  test.each([
    ["without a page", denied(info(service))],
    ["with a page of somebody else", denied(info(service), help("https://evil.example/"))],
  ])("is named %s", async (_, error) => {
    const { text } = await refused(403, error);
    const standard =
      "https://console.cloud.google.com/apis/library/ids.googleapis.com?project=acme";
    expect(text).toContain(`Enable ids.googleapis.com at ${standard},`);
    expect(text).not.toContain("evil");
  });
});

test.each<[string, number, object, string, string]>([
  [
    "a quota of requests",
    429,
    {
      status: "RESOURCE_EXHAUSTED",
      message: "Quota exceeded",
      details: [reason("RATE_LIMIT_EXCEEDED")],
    },
    "Too Many Requests",
    "-parallelism",
  ],
  [
    "a quota of requests that is a 403",
    403,
    { status: "PERMISSION_DENIED", message: "Quota exceeded for 'Requests per minute'" },
    "Too Many Requests",
    "-parallelism",
  ],
  [
    "a quota project that is denied",
    403,
    { status: "PERMISSION_DENIED", message: "no", details: [reason("USER_PROJECT_DENIED")] },
    "Quota Project Denied",
    "roles/serviceusage.serviceUsageConsumer",
  ],
  [
    "a token without the scope",
    403,
    {
      status: "PERMISSION_DENIED",
      message: "no",
      details: [reason("ACCESS_TOKEN_SCOPE_INSUFFICIENT")],
    },
    "Permission Denied",
    "auth/cloud-platform",
  ],
])("%s is explained", async (_, status, error, summary, text) => {
  const answer = await refused(status, error, { "retry-after": "77" });
  expect(summaries(answer.diagnostics)).toEqual([`ERROR - ${summary}`]);
  expect(answer.text).toContain(text);
  expect(answer.text).toContain("The service asked to wait 77 seconds.");
});

function reason(name: string) {
  return {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: name,
    domain: "googleapis.com",
  };
}

test("a page instead of the API's answer is shown by its title, with what to check", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const body =
    "<!DOCTYPE html><html><head><title>Sign in to the proxy</title></head><body>x</body></html>";
  service.fault = () => ({
    kind: "answer",
    status: 403,
    body,
    headers: { "content-type": "text/html" },
  });
  const { diagnostics } = await apply(ids, edge);
  expect(summaries(diagnostics)).toEqual(["ERROR - Unexpected Response"]);
  expect(details(diagnostics)).toContain(
    'HTTP 403 (text/html), which is not a response of the API: "Sign in to the proxy"',
  );
  expect(details(diagnostics)).toContain("Check the proxy settings and cloud_ids_custom_endpoint");
});

describe("a location that the service refuses", () => {
  const locate = async (location: string, zones?: readonly string[]) => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await connect(service);
    const list = { locations: (zones ?? []).map((locationId) => ({ locationId })) };
    service.fault = (request) => {
      if (isCreation(request)) {
        const message = `Location ${location} is not found or access is unauthorized.`;
        const body = JSON.stringify({ error: { code: 403, status: "PERMISSION_DENIED", message } });
        return { kind: "answer", status: 403, body };
      }
      if (zones === undefined) return { kind: "answer", status: 500 };
      return { kind: "answer", status: 200, body: JSON.stringify(list) };
    };
    const { diagnostics } = await apply(ids, { ...edge, location });
    return { text: details(diagnostics), paths: service.requests.map(({ path }) => path) };
  };

  test("is compared with the zones of its region", async () => {
    const zones = ["us-central1-a", "us-central1-f", "us-east1-b"];
    const region = await locate("us-central1", zones);
    expect(region.text).toContain(
      "set location to a zone, here one of us-central1-a, us-central1-f (got us-central1)",
    );
    expect(region.paths.at(-1)).toBe("/v1/projects/acme/locations");
    expect((await locate("us-central1-z", zones)).text).toContain("here one of us-central1-a");
    expect((await locate("mars1-a", zones)).text).toContain(
      "the service has none there (got mars1-a)",
    );
    expect((await locate("us-central1-a", zones)).text).not.toContain("zonal");
  });

  test("is explained by its form when the zones cannot be listed", async () => {
    expect((await locate("us-central1")).text).toContain("such as us-central1-a (got us-central1)");
    expect((await locate("us-central1-a")).text).not.toContain("zonal");
  });
});

test("an unreachable service is reported, with the fix", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service);
  const { planned } = await plan(ids, edge);
  expect(planned).not.toBeNull();
  service.fault = () => ({ kind: "answer", status: 403 });
  const { diagnostics } = await apply(ids, edge);
  expect(summaries(diagnostics)).toEqual(["ERROR - Permission Denied"]);
  expect(details(diagnostics)).toContain("roles/ids.admin");
});

test("a saved plan that is applied again on another machine finds what its first run has created", async () => {
  const service = await startService({ pollsUntilDone: 0 });
  const [first, second] = [await connect(service), await connect(service)];
  const saved = await endpoints(first).plan(edge, undefined);
  // The machine is lost before Terraform has stored the state.
  await endpoints(first).apply(saved);
  const { stored, diagnostics } = await endpoints(second).apply(saved);
  expect(diagnostics).toEqual([]);
  expect(stored?.state).toMatchObject({ name });
  // The request ID is in no state, so that nothing sends it again.
  expect(stored?.private).toHaveLength(0);
  const ids = service.requests.flatMap(({ query }) => query.get("requestId") ?? []);
  expect(ids).toEqual([ids[0], ids[0]]);
  const other = await endpoints(second).plan(edge, undefined);
  const refused = await endpoints(second).apply(other);
  expect(summaries(refused.diagnostics)).toEqual(["ERROR endpoint_id Endpoint Already Exists"]);
});
