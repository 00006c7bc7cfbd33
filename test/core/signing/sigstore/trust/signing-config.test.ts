import { JsonFields } from "../../../../../src/core/json/parse-json";
import {
  readSigningConfig,
  selectServices,
} from "../../../../../src/core/signing/sigstore/trust/signing-config";

const now = new Date("2026-06-01T00:00:00Z");
const service = (url: string, changes: object = {}) => ({
  url: `https://${url}`,
  majorApiVersion: 1,
  validFor: { start: "2026-01-01T00:00:00Z" },
  operator: "a.example",
  ...changes,
});
const [v2, from] = [{ majorApiVersion: 2 }, (start: string) => ({ validFor: { start } })];
const over = { validFor: { start: "2025-01-01T00:00:00Z", end: "2026-05-31T23:59:59Z" } };
const ofB = { operator: "b.example" };

const document = {
  mediaType: "application/vnd.dev.sigstore.signingconfig.v0.2+json",
  caUrls: [service("ca")],
  oidcUrls: [service("oidc")],
  rekorTlogUrls: [service("log")],
  rekorTlogConfig: { selector: "ANY" },
  tsaUrls: [service("tsa")],
  tsaConfig: { selector: "ANY" },
};

const select = (changes: object, logVersions: readonly (1 | 2)[] = [1, 2]) =>
  selectServices(readSigningConfig(JSON.stringify({ ...document, ...changes })), {
    now,
    logVersions,
  });
const logs = (services: readonly object[], config: object = { selector: "ALL" }) =>
  select({ rekorTlogUrls: services, rekorTlogConfig: config }).logs.map(
    ({ url, version }) => `${url.slice(8)} v${version}`,
  );

test("one service of each kind is selected", () => {
  expect(select({})).toEqual({
    fulcioUrl: "https://ca",
    logs: [{ url: "https://log", version: 1 }],
    timestampUrls: ["https://tsa"],
  });
});

test.each<[string, readonly object[], object | undefined, readonly string[]]>([
  [
    "the highest version",
    [service("one"), service("two", v2), service("three", { majorApiVersion: 3 })],
    undefined,
    ["two v2"],
  ],
  [
    "valid now",
    [service("future", from("2026-06-02T00:00:00Z")), service("past", over), service("now")],
    undefined,
    ["now v1"],
  ],
  [
    "of a lower version while the higher one is not valid yet",
    [service("soon", { ...v2, ...from("2027-01-01T00:00:00Z") }), service("now")],
    undefined,
    ["now v1"],
  ],
  [
    "the newest of each operator",
    [
      service("old", from("2026-02-01T00:00:00Z")),
      service("new", from("2026-03-01T00:00:00Z")),
      service("b", ofB),
    ],
    undefined,
    ["new v1", "b v1"],
  ],
  ["any: the newest", [service("a"), service("b", ofB)], { selector: "ANY" }, ["a v1"]],
  [
    "exactly as many",
    [service("a"), service("b", ofB), service("c", { operator: "c.example" })],
    { selector: "EXACT", count: 2 },
    ["a v1", "b v1"],
  ],
  [
    "without an end, or a start",
    [service("always", { validFor: {} }), service("never", { majorApiVersion: 0 })],
    undefined,
    ["always v1"],
  ],
])("the logs are %s", (_, services, config, expected) => {
  expect(logs(services, config)).toEqual(expected);
});

test("version 1 of the log is selected where version 2 cannot be used", () => {
  const both = { rekorTlogUrls: [service("two", v2), service("one")] };
  expect(select(both, [1]).logs).toEqual([{ url: "https://one", version: 1 }]);
  expect(select(both).logs).toEqual([{ url: "https://two", version: 2 }]);
});

test("no timestamp is needed for version 1 if no authority is listed", () => {
  expect(select({ tsaUrls: [], tsaConfig: undefined }).timestampUrls).toEqual([]);
});

test.each<[string, object, string]>([
  ["no authority", { caUrls: [] }, "lists no certificate authority of v1 that is valid now"],
  ["only past logs", { rekorTlogUrls: [service("x", over)] }, "no transparency log of v1 or v2"],
  [
    "too few operators",
    { rekorTlogConfig: { selector: "EXACT", count: 2 } },
    "requires 2 operators of a transparency log, but lists only 1 that can be used now",
  ],
  [
    "two of one operator",
    {
      rekorTlogUrls: [service("a"), service("b")],
      rekorTlogConfig: { selector: "EXACT", count: 2 },
    },
    "lists only 1",
  ],
  ["count 0", { rekorTlogConfig: { selector: "EXACT" } }, "count must be at least 1"],
  ["another selector", { tsaConfig: { selector: "SOME" } }, "must be ANY, ALL or EXACT"],
  [
    "no selector",
    { rekorTlogConfig: undefined },
    "does not state how many services of the kind transparency log to use",
  ],
  [
    "version 2 of the log, without timestamps",
    { rekorTlogUrls: [service("two", v2)], tsaUrls: [] },
    "lists no timestamp authority",
  ],
  ["another type", { mediaType: "text/plain" }, "mediaType must be application/vnd.dev.sigstore"],
  [
    "an older version",
    { mediaType: "application/vnd.dev.sigstore.signingconfig.v0.1+json" },
    "mediaType must be",
  ],
  [
    "a URL without TLS",
    { caUrls: [{ ...service("ca"), url: "http://ca.example" }] },
    "caUrls[0].url must be an https URL",
  ],
  [
    "a URL with a password",
    { tsaUrls: [{ ...service("tsa"), url: "https://me:secret@tsa.example" }] },
    "tsaUrls[0].url must be an https URL",
  ],
  [
    "a time that is none",
    { caUrls: [service("ca", from("yesterday"))] },
    "must be a time such as 2024-01-31T00:00:00Z",
  ],
])("a signing config with %s is refused", (_, changes, message) => {
  const refusal = expect(() => select(changes));
  refusal.toThrow(message);
  refusal.not.toThrow("secret");
});

test("what is no JSON is refused", () => {
  expect(() => readSigningConfig("{")).toThrow("not a signing config: ");
});

test("a signing config is not blamed for a bug", () => {
  const reading = jest.spyOn(JsonFields, "of").mockImplementation(() => {
    throw new TypeError("a bug");
  });
  try {
    expect(() => readSigningConfig("{}")).toThrow(/^a bug$/);
  } finally {
    reading.mockRestore();
  }
});
