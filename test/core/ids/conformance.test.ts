import { cloudPlatformScope } from "../../../src/core/google/token-request";
import { standardBaseUrl } from "../../../src/core/ids/client/client";
import { bodyFields } from "../../../src/core/ids/endpoint/client";
import { isObject } from "../../../src/core/json/plain-json";
import { apply, connect, create, edge, importEndpoint, name, startService } from "./provider/ids";
import {
  baseUrl,
  commonQuery,
  fieldsOf,
  type FieldType,
  type MessageName,
  type Method,
  methods,
  scope,
} from "./service-definition";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

const methodOf = ({ method, path }: Pick<Sent, "method" | "path">): Method | undefined =>
  methods.find((each) => each.verb === method && each.path.test(path));

/** What is wrong with a value, by the definition. */
function problems(type: FieldType, value: unknown, at: string): readonly string[] {
  const is = (isRight: boolean): readonly string[] =>
    isRight ? [] : [`${at} is no ${JSON.stringify(type)}`];
  if (type === "any") return is(isObject(value) || Array.isArray(value));
  if (type === "timestamp") {
    return is(typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value));
  }
  if (type === "integer") return is(Number.isInteger(value));
  if (type === "strings")
    return is(Array.isArray(value) && value.every((each) => typeof each === "string"));
  if (type === "labels") {
    return is(isObject(value) && Object.values(value).every((each) => typeof each === "string"));
  }
  if (typeof type === "string") return is(typeof value === type);
  if ("message" in type) return problemsOfMessage(type.message, value, at);
  if ("list" in type) {
    if (!Array.isArray(value)) return is(false);
    return value.flatMap((each, index) => problemsOfMessage(type.list, each, `${at}[${index}]`));
  }
  return is(typeof value === "string" && type.includes(value));
}

function problemsOfMessage(message: MessageName, value: unknown, at: string): readonly string[] {
  if (!isObject(value)) return [`${at} is no ${message}`];
  const fields = fieldsOf(message);
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === "@type") return [];
    const field = fields[key];
    return field === undefined
      ? [`${at}.${key} is no field of ${message}`]
      : problems(field.type, each, `${at}.${key}`);
  });
}

/** What is wrong with a request, by the definition. */
function problemsOfRequest(sent: Sent): readonly string[] {
  const method = methodOf(sent);
  const at = `${sent.method} ${sent.path}`;
  if (method === undefined) return [`${at} is no method`];
  const unknown = [...sent.query.keys()]
    .filter((key) => !Object.hasOwn(method.query, key) && !commonQuery.includes(key))
    .map((key) => `${at} has no parameter ${key}`);
  const wrong = Object.entries(method.query).flatMap(([key, type]) => {
    const value = sent.query.get(key);
    return value !== null && type === "integer" && !/^\d+$/.test(value) ? [`${at}: ${key}`] : [];
  });
  if (method.request === undefined) {
    return [...unknown, ...wrong, ...(sent.body === "" ? [] : [`${at} has no body`])];
  }
  const body: unknown = JSON.parse(sent.body);
  const outputs = Object.keys(isObject(body) ? body : {})
    .filter((key) => method.request && fieldsOf(method.request)[key]?.isOutput === true)
    .map((key) => `${at}: ${key} is written by the service`);
  return [...unknown, ...wrong, ...outputs, ...problemsOfMessage(method.request, body, "body")];
}

test("the definition finds what is wrong", () => {
  const sent = (method: string, path: string, query: string, body = ""): readonly string[] =>
    problemsOfRequest({ method, path, query: new URLSearchParams(query), body });
  const endpoints = "/v1/projects/p/locations/l/endpoints";
  expect(sent("PUT", endpoints, "")).toEqual([`PUT ${endpoints} is no method`]);
  expect(sent("GET", endpoints, "size=1&pageSize=x")).toHaveLength(2);
  expect(sent("POST", endpoints, "", '{"state":"READY","color":1,"severity":"X"}')).toHaveLength(3);
  expect(sent("GET", endpoints, "", "{}")).toEqual([`GET ${endpoints} has no body`]);
});

const full = {
  ...edge,
  description: "a",
  labels: { team: "a" },
  threatExceptions: ["1"],
  trafficLogs: true,
};

test("every request of the provider is one of the service's methods, field by field", async () => {
  const service = await startService();
  const ids = await connect(service);
  const state = await create(ids, full);
  const updated = await create(
    ids,
    { ...full, severity: "LOW", labels: { team: "b" }, threatExceptions: [], trafficLogs: false },
    state,
  );
  await importEndpoint(ids, name);
  // A location that the service refuses makes the provider ask for the zones.
  service.fault = ({ method, path }) =>
    method === "POST" && path.includes("us-west9") ? { kind: "answer", status: 403 } : undefined;
  await apply(ids, { ...edge, location: "us-west9" });
  await apply(ids, null, updated);
  expect(service.requests.flatMap(problemsOfRequest)).toEqual([]);
  const used = new Set(service.requests.map((request) => methodOf(request)?.id));
  expect([...used].sort()).toEqual([
    "endpoints.create",
    "endpoints.delete",
    "endpoints.get",
    "endpoints.patch",
    "locations.list",
    "operations.get",
  ]);
  for (const { query } of service.requests) expect(query.get("alt")).toBe("json");
});

test("the provider writes every field that the service does not write itself", () => {
  const writable = Object.entries(fieldsOf("Endpoint")).filter(([, { isOutput }]) => !isOutput);
  expect([...bodyFields].sort()).toEqual(writable.map(([key]) => key).sort());
});

test("the base URL and the scope are the service's", () => {
  expect(standardBaseUrl("googleapis.com")).toBe(`${baseUrl}v1/`);
  expect(cloudPlatformScope).toBe(scope);
});

describe("the local back end", () => {
  const parent = "projects/acme/locations/us-central1-a";

  test("answers every method as the service does, field by field", async () => {
    const service = await startService({
      operationFailure: ({ verb }) => (verb === "update" ? { code: 9, message: "no" } : undefined),
    });
    const asked = new Set<string>();
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const url = new URL(path, service.url);
      const response = await fetch(url, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      const known = methodOf({ method, path: url.pathname });
      expect(response.status).toBe(200);
      if (known === undefined) throw new Error(`${method} ${path} is no method`);
      asked.add(known.id);
      expect(problemsOfMessage(known.response, answer, known.id)).toEqual([]);
      if (isObject(answer) && isObject(answer["response"]) && "name" in answer["response"]) {
        expect(problemsOfMessage("Endpoint", answer["response"], "response")).toEqual([]);
      }
      return answer;
    };
    const wait = async (operation: unknown): Promise<void> => {
      const path = isObject(operation) ? String(operation["name"]) : "";
      for (let polls = 0; polls < 3; polls++) await ask("GET", path);
    };
    const body: Record<string, unknown> = { ...full, endpointId: undefined };
    await wait(await ask("POST", `${parent}/endpoints?endpointId=a`, body));
    await wait(await ask("POST", `${parent}/endpoints?endpointId=b`, body));
    await ask("GET", `${parent}/endpoints?pageSize=1&orderBy=name`);
    await wait(
      await ask("PATCH", `${parent}/endpoints/a?updateMask=severity`, { severity: "LOW" }),
    );
    await ask("GET", `${parent}/endpoints/a`);
    await ask("GET", `${parent}/operations?pageSize=2`);
    await ask("GET", parent);
    await ask("GET", "projects/acme/locations");
    await wait(await ask("DELETE", `${parent}/endpoints/a`));
    expect([...asked].sort()).toEqual(methods.map(({ id }) => id).sort());
  });

  test.each(methods.map((method) => [method.id, method] as const))(
    "accepts exactly the parameters of %s",
    async (_, { verb, path, query }) => {
      const service = await startService();
      const pathname = path.source
        .slice(1, -1)
        .replaceAll(String.raw`\/`, "/")
        .replaceAll("[^/]+", "x1");
      const refused = async (parameter: string): Promise<boolean> => {
        const url = `${new URL(pathname, service.url).href}?${parameter}=1`;
        const response = await fetch(url, { method: verb, body: verb === "GET" ? null : "{}" });
        return (await response.text()).includes("Cannot bind query parameter");
      };
      const all = ["endpointId", "requestId", "updateMask", "filter", "orderBy", "pageSize"];
      const more = ["pageToken", "extraLocationTypes", "returnPartialSuccess", "other"];
      const accepted: string[] = [];
      for (const each of [...all, ...more]) if (!(await refused(each))) accepted.push(each);
      expect(accepted.sort()).toEqual(Object.keys(query).sort());
    },
  );
});
