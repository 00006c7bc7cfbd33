import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { idsProvider } from "../../../../src/core/ids/provider/declare";
import { UNKNOWN } from "../../../../src/core/schema";
import { details, summaries } from "../../provider-kit/server/protocol";
import {
  apply,
  connect,
  create,
  edge,
  folder,
  name,
  plan,
  readEndpoint,
  startIds,
  startService,
  validateSettings,
} from "./ids";

const token = "ya29.secret-token";

/** A provider that sends no requests to the real service. */
const real = (config: object, env: Readonly<Record<string, string>> = {}) =>
  startIds({ accessToken: token, ...config }, env);

describe("project and location", () => {
  const place = async (config: object, env: Readonly<Record<string, string>>, own = {}) => {
    const { planned } = await plan(await real(config, env), { ...edge, ...own });
    return [planned?.["project"], planned?.["location"]];
  };
  const env = { GOOGLE_PROJECT: "ep", GOOGLE_REGION: "er", GOOGLE_ZONE: "ez" };

  test.each<[string, object, Readonly<Record<string, string>>, object, string[]]>([
    [
      "the endpoint's own",
      { project: "p", zone: "z" },
      env,
      { project: "o", location: "l" },
      ["o", "l"],
    ],
    ["the configuration's", { project: "p", zone: "z", region: "r" }, env, {}, ["p", "z"]],
    ["the environment's", {}, env, {}, ["ep", "ez"]],
    [
      "the zone, although only the region is in the configuration",
      { region: "r" },
      env,
      {},
      ["ep", "ez"],
    ],
    ["the region without a zone", { project: "p", region: "r" }, {}, {}, ["p", "r"]],
    ["the environment's for an empty text", { project: "", zone: "" }, env, {}, ["ep", "ez"]],
    [
      "the first variable that is set",
      {},
      {
        GOOGLE_PROJECT: "",
        GCLOUD_PROJECT: "b",
        CLOUDSDK_CORE_PROJECT: "c",
        CLOUDSDK_COMPUTE_ZONE: "d",
      },
      {},
      ["b", "d"],
    ],
  ])("are %s", async (_name, config, variables, own, expected) => {
    expect(await place(config, variables, own)).toEqual(expected);
  });

  test.each([
    [
      { zone: "us-central1-a" },
      "ERROR project Missing Project",
      ["GOOGLE_PROJECT", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT"],
    ],
    [
      { project: "p" },
      "ERROR location Missing Location",
      [
        "GOOGLE_ZONE",
        "GCLOUD_ZONE",
        "CLOUDSDK_COMPUTE_ZONE",
        "GOOGLE_REGION",
        "GCLOUD_REGION",
        "CLOUDSDK_COMPUTE_REGION",
      ],
    ],
  ])("that are missing are refused during the plan: %j", async (config, expected, variables) => {
    const { diagnostics } = await plan(await real(config), edge);
    expect(summaries(diagnostics)).toEqual([expected]);
    expect(details(diagnostics)).toContain(`${variables.join(", ")}.`);
  });

  test.each([
    ["https://www.googleapis.com/compute/v1/projects/p/zones/us-west1-b", "us-west1-b"],
    ["projects/p/zones/us-west1-b", "us-west1-b"],
    ["zones/us-west1-b", "us-west1-b"],
    ["us-west1-b", "us-west1-b"],
  ])("can be the zone's URL, as other resources return it: %s", async (zone, location) => {
    const { planned, diagnostics } = await plan(await real({ project: "p", zone }), edge);
    expect(planned).toMatchObject({ location });
    expect(diagnostics).toEqual([]);
  });

  test("of the provider's region are used with a warning that names the form of zones", async () => {
    const region = "https://www.googleapis.com/compute/v1/projects/p/regions/us-west1";
    const { planned, diagnostics } = await plan(await real({ project: "p", region }), edge);
    expect(planned).toMatchObject({ location: "us-west1" });
    expect(summaries(diagnostics)).toEqual(["WARNING location Location Is Not A Zone"]);
    expect(details(diagnostics)).toContain("such as us-central1-a");
  });

  test("of an endpoint stay the same when the provider's settings change or are removed", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const state = await create(await connect(service));
    for (const config of [
      { project: "other", zone: "us-west1-a" },
      { project: null, zone: null },
    ]) {
      const ids = await connect(service, config);
      expect((await plan(ids, edge, state)).planned).toEqual(state);
    }
  });
});

describe("settings that are unknown during the plan", () => {
  test("do not prevent the plan of a creation", async () => {
    const unknown = Object.fromEntries(
      Object.keys(idsProvider.attributes).map((key) => [key, UNKNOWN]),
    );
    const ids = await startIds(unknown);
    expect(ids.configured).toEqual([]);
    const { planned } = await plan(ids, edge);
    expect(planned).toMatchObject({ project: UNKNOWN, location: UNKNOWN, name: UNKNOWN });
  });

  test.each([
    "accessToken",
    "credentials",
    "cloudIdsCustomEndpoint",
    "requestTimeout",
    "pollInterval",
  ])("prevent a read while %s is unknown, with the fix", async (setting) => {
    const service = await startService({ pollsUntilDone: 0 });
    const state = await create(await connect(service));
    const ids = await connect(service, { [setting]: UNKNOWN });
    expect(ids.configured).toEqual([]);
    const { diagnostics } = await readEndpoint(ids, state);
    expect(summaries(diagnostics)).toEqual(["ERROR - Provider Setting Not Known Yet"]);
    expect(details(diagnostics)).toContain("-target");
  });

  test("do not prevent the read of an endpoint that needs none of them", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const state = await create(await connect(service));
    const ids = await connect(service, { project: UNKNOWN, zone: UNKNOWN });
    expect((await readEndpoint(ids, state)).state).toEqual(state);
  });
});

describe("credentials", () => {
  test("are needed for the real service", async () => {
    const { configured } = await startIds({});
    expect(summaries(configured)).toEqual(["ERROR - No Credentials"]);
    expect(details(configured)).toContain("GOOGLE_OAUTH_ACCESS_TOKEN");
  });

  test("that conflict are refused", async () => {
    const ids = await startIds({});
    const diagnostics = await validateSettings(ids, { accessToken: token, credentials: "{}" });
    expect(summaries(diagnostics)).toEqual(["ERROR access_token Conflicting Attributes"]);
    expect(details(diagnostics)).not.toContain(token);
  });

  test.each<[string, string, string]>([
    ["text that is no JSON", '{"private_key": "HUSH', "does not contain a JSON object"],
    [
      "a key without its parts",
      '{"type":"service_account","private_key":"HUSH"}',
      "has no client_email",
    ],
    [
      "another kind",
      '{"type":"gdch_service_account","private_key":"HUSH"}',
      "gdch_service_account",
    ],
    ["a token in the wrong place", "ya29.HUSH", "looks like a token"],
    ["a missing file", "/does/not/exist.json", "it does not exist"],
  ])("that are %s are refused", async (_name, credentials, text) => {
    for (const [config, env] of [
      [{ credentials }, {}],
      [{}, { GOOGLE_CREDENTIALS: credentials }],
    ] as const) {
      const { configured } = await startIds(config, env);
      expect(summaries(configured)).toEqual(["ERROR credentials Invalid Credentials"]);
      expect(details(configured)).toContain(text);
      expect(details(configured)).not.toContain("HUSH");
    }
  });

  test("in a malformed file are refused without its content", async () => {
    const file = join(folder(), "key.json");
    writeFileSync(file, '{"type": "HUSH HUSH"}');
    const { configured } = await startIds({ credentials: file });
    expect(summaries(configured)).toEqual(["ERROR credentials Invalid Credentials"]);
    expect(details(configured)).not.toContain("HUSH");
  });

  test.each<[string, Record<string, string>, Record<string, string>, string | undefined]>([
    [
      "the configuration's token",
      { accessToken: token },
      { GOOGLE_OAUTH_ACCESS_TOKEN: "other" },
      token,
    ],
    ["the environment's token", {}, { GOOGLE_OAUTH_ACCESS_TOKEN: token }, token],
    [
      "the environment's for an empty one",
      { accessToken: "" },
      { GOOGLE_OAUTH_ACCESS_TOKEN: token },
      token,
    ],
    ["none for the local back end", {}, {}, undefined],
  ])("are sent: %s", async (_name, config, env, expected) => {
    const service = await startService({ pollsUntilDone: 0 });
    await create(await connect(service, config, env));
    const sent = service.requests.map(({ headers }) => headers["authorization"]);
    expect(new Set(sent)).toEqual(new Set([expected && `Bearer ${expected}`]));
  });

  test("never appear in the log or in messages", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await connect(service, { accessToken: token }, { TF_LOG: "TRACE" });
    const state = await create(ids);
    const body = JSON.stringify({
      error: { code: 403, status: "PERMISSION_DENIED", message: `no: ${token}` },
    });
    service.fault = () => ({ kind: "answer", status: 403, body });
    const { diagnostics } = await apply(ids, { ...edge, severity: "LOW" }, state);
    expect(diagnostics).toHaveLength(1);
    expect(ids.log.join("")).toContain("got a response");
    expect(ids.log.join("") + JSON.stringify(diagnostics)).not.toContain(token);
  });
});

describe("the custom endpoint", () => {
  test.each([
    "http://ids.example.com/v1/",
    "https://user:pw@ids.example.com/v1/",
    "https://ids.example.com/",
    "ftp://127.0.0.1/v1/",
    "127.0.0.1:8080",
  ])("refuses %s", async (url) => {
    const ids = await startIds({});
    const diagnostics = await validateSettings(ids, { cloudIdsCustomEndpoint: url });
    expect(summaries(diagnostics)).toEqual([
      "ERROR cloud_ids_custom_endpoint Invalid Attribute Value",
    ]);
    const { configured } = await real({}, { GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT: url });
    expect(summaries(configured)).toEqual([
      "ERROR cloud_ids_custom_endpoint Invalid Custom Endpoint",
    ]);
  });

  test("can come from the environment", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await startIds(
      { project: "acme", zone: "us-central1-a", pollInterval: "1ms" },
      { GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT: service.url },
    );
    expect(await create(ids)).toMatchObject({ id: name });
  });
});

test.each(["requestTimeout", "pollInterval"])("%s must be a duration", async (setting) => {
  const ids = await startIds({});
  expect(summaries(await validateSettings(ids, { [setting]: "10" }))).toEqual([
    `ERROR ${setting.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)} Invalid Attribute Value`,
  ]);
});

test("a shared journal has an absolute path", async () => {
  const { configured } = await real({}, { TRIVET_JOURNAL: "journal" });
  expect(summaries(configured)).toEqual(["ERROR - Invalid TRIVET_JOURNAL"]);
  expect(details(configured)).toContain(
    'TRIVET_JOURNAL must be the absolute path of a folder, but is "journal".',
  );
});
