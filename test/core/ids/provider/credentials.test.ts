import { findCredentials } from "../../../../src/core/ids/provider/credentials";
import type { Logger } from "../../../../src/core/provider-kit";
import { UNKNOWN } from "../../../../src/core/schema";
import { details, summaries } from "../../provider-kit/server/protocol";
import type { Values } from "../../provider-kit/plan/planning";
import { paths, startGoogle } from "../../google/google-services";
import {
  apply,
  connect,
  create,
  edge,
  plan,
  readEndpoint,
  startIds,
  startService,
  validateSettings,
} from "./ids";

type Google = Awaited<ReturnType<typeof startGoogle>>;
type Variables = Readonly<Record<string, string>>;

const account = "deployer@p.iam.gserviceaccount.com";

/** The headers of what the service receives for the creation of an endpoint. */
async function sent(config: Values, env: Variables) {
  const service = await startService({ pollsUntilDone: 0 });
  const ids = await connect(service, config, env);
  expect(ids.configured).toEqual([]);
  await create(ids);
  const [{ headers } = { headers: {} as Record<string, string | undefined> }] = service.requests;
  return headers;
}

/** The setting and the variable for the double of the service that impersonates. */
const iam = ({ origin }: Google) => ({ iamCredentialsCustomEndpoint: `${origin}/v1/` });

describe("credentials of each kind reach the service as a token", () => {
  const kinds: readonly [
    string,
    (google: Google) => { config?: Values; env?: Variables },
    string,
  ][] = [
    [
      "the JSON of a key in the configuration",
      ({ credentials }) => ({
        config: { credentials: JSON.stringify(credentials.serviceAccount) },
      }),
      "oauth-token",
    ],
    [
      "a file in the configuration",
      (google) => ({ config: { credentials: google.file("a.json", google.credentials.user) } }),
      "oauth-token",
    ],
    [
      "GOOGLE_CREDENTIALS",
      ({ credentials }) => ({ env: { GOOGLE_CREDENTIALS: JSON.stringify(credentials.external) } }),
      "federated-token",
    ],
    [
      "GOOGLE_APPLICATION_CREDENTIALS",
      (google) => ({
        env: {
          GOOGLE_APPLICATION_CREDENTIALS: google.file("a.json", google.credentials.workforceUser),
        },
      }),
      "workforce-token",
    ],
    [
      "the gcloud login",
      (google) => {
        google.file("application_default_credentials.json", google.credentials.user);
        return { env: { CLOUDSDK_CONFIG: google.home } };
      },
      "oauth-token",
    ],
    [
      "the metadata server",
      ({ port }) => ({ env: { GCE_METADATA_HOST: `127.0.0.1:${port}` } }),
      "machine-token",
    ],
    [
      "an impersonated account, from a login",
      (google) => ({
        config: { impersonateServiceAccount: account, ...iam(google) },
        env: { GOOGLE_CREDENTIALS: JSON.stringify(google.credentials.user) },
      }),
      "impersonated-token",
    ],
    [
      "an impersonated account, from a token, by variables",
      ({ origin }) => ({
        env: {
          GOOGLE_OAUTH_ACCESS_TOKEN: "given-token",
          GOOGLE_IMPERSONATE_SERVICE_ACCOUNT: account,
          GOOGLE_IAM_CREDENTIALS_CUSTOM_ENDPOINT: `${origin}/v1/`,
        },
      }),
      "impersonated-token",
    ],
  ];

  test.each(kinds)("%s", async (_, settings, token) => {
    const google = await startGoogle();
    const { config = {}, env = {} } = settings(google);
    const headers = await sent(config, { HOME: google.home, ...env });
    expect(headers["authorization"]).toBe(`Bearer ${token}`);
  });

  test("the service account is impersonated through its delegates", async () => {
    const google = await startGoogle();
    const config = {
      accessToken: "given-token",
      impersonateServiceAccount: account,
      impersonateServiceAccountDelegates: ["hop@p.iam.gserviceaccount.com"],
      ...iam(google),
    };
    await sent(config, {});
    expect(google.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${paths.iam}${account}:generateAccessToken`,
    ]);
    expect(google.requests[0]?.headers.authorization).toBe("Bearer given-token");
    expect(JSON.parse(String(google.requests[0]?.body))).toMatchObject({
      delegates: ["projects/-/serviceAccounts/hop@p.iam.gserviceaccount.com"],
    });
  });
});

describe("the order", () => {
  test("is the configuration, then the variables of the provider, then the defaults", async () => {
    const google = await startGoogle();
    const { user, external, workforceUser } = google.credentials;
    const env = {
      GOOGLE_CREDENTIALS: JSON.stringify(external),
      GOOGLE_APPLICATION_CREDENTIALS: google.file("a.json", workforceUser),
    };
    const credentials = JSON.stringify(user);
    const token = async (config: Values, variables: Variables) =>
      (await sent(config, variables))["authorization"];
    expect(await token({ credentials }, env)).toBe("Bearer oauth-token");
    expect(await token({}, env)).toBe("Bearer federated-token");
    expect(await token({}, { ...env, GOOGLE_CREDENTIALS: "" })).toBe("Bearer workforce-token");
    const both = { ...env, GOOGLE_OAUTH_ACCESS_TOKEN: "given-token" };
    expect(await token({}, both)).toBe("Bearer given-token");
    expect(await token({ credentials }, both)).toBe("Bearer oauth-token");
  });

  test.each([
    ["credentials and a token", { credentials: "{}", accessToken: "t" }],
    [
      "a token and external_credentials",
      {
        accessToken: "t",
        externalCredentials: [
          { audience: "a", serviceAccountEmail: account, identityToken: "HUSH" },
        ],
      },
    ],
  ])("does not decide between two in the configuration: %s", async (_, config) => {
    const diagnostics = await validateSettings(await startIds({ accessToken: "t" }), config);
    expect(summaries(diagnostics)[0]).toMatch(/Conflicting Attributes$/);
    expect(details(diagnostics)).not.toContain("HUSH");
  });
});

describe("the quota", () => {
  const token = { accessToken: "t" };

  test.each<[string, Values, Variables, string | undefined]>([
    [
      "of the credentials' project by default",
      { ...token, billingProject: "payer" },
      {},
      undefined,
    ],
    ["of the endpoint's project", { ...token, userProjectOverride: true }, {}, "acme"],
    [
      "of the billing project",
      { ...token, userProjectOverride: true, billingProject: "payer" },
      {},
      "payer",
    ],
    [
      "of the billing project, by variables",
      token,
      { USER_PROJECT_OVERRIDE: "true", GOOGLE_BILLING_PROJECT: "payer" },
      "payer",
    ],
    ["of GOOGLE_CLOUD_QUOTA_PROJECT", token, { GOOGLE_CLOUD_QUOTA_PROJECT: "quota" }, "quota"],
    [
      "of the billing project, although there is another one",
      { ...token, userProjectOverride: true, billingProject: "payer" },
      { GOOGLE_CLOUD_QUOTA_PROJECT: "quota" },
      "payer",
    ],
  ])("that is used is that %s", async (_, config, env, expected) => {
    expect((await sent(config, env))["x-goog-user-project"]).toBe(expected);
  });

  test("that is used is that in the file of a login", async () => {
    const google = await startGoogle();
    const credentials = JSON.stringify(google.credentials.user);
    expect((await sent({ credentials }, {}))["x-goog-user-project"]).toBe("quota-project");
  });

  test("must be true or false in its variable", async () => {
    const { configured } = await startIds(token, { USER_PROJECT_OVERRIDE: "maybe" });
    expect(summaries(configured)).toEqual([
      "ERROR user_project_override Invalid Environment Variable",
    ]);
  });
});

describe("the reason of requests", () => {
  test.each<[Values, Variables]>([
    [{ requestReason: "ticket 42" }, {}],
    [{}, { CLOUDSDK_CORE_REQUEST_REASON: "ticket 42" }],
  ])("is a header: %j %j", async (config, env) => {
    expect((await sent(config, env))["x-goog-request-reason"]).toBe("ticket 42");
  });

  test("cannot add other headers", async () => {
    const reason = "a\r\nx-evil: b";
    const ids = await startIds({ accessToken: "t" });
    expect(summaries(await validateSettings(ids, { requestReason: reason }))).toEqual([
      "ERROR request_reason Invalid Attribute Value",
    ]);
    const { configured } = await startIds(
      { accessToken: "t" },
      { CLOUDSDK_CORE_REQUEST_REASON: reason },
    );
    expect(summaries(configured)).toEqual(["ERROR request_reason Invalid Request Reason"]);
    expect(details(configured)).toContain("CLOUDSDK_CORE_REQUEST_REASON must be one line");
  });
});

describe("credentials that cannot be used", () => {
  test("name the variable, the file and the way out", async () => {
    const env = { GOOGLE_APPLICATION_CREDENTIALS: "/nowhere/key.json" };
    const { configured } = await startIds({}, env);
    expect(summaries(configured)).toEqual(["ERROR - Invalid Credentials"]);
    expect(details(configured)).toMatch(/GOOGLE_APPLICATION_CREDENTIALS: the file "\/nowhere/);
  });

  test("are not needed for the service on this machine", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    expect((await connect(service)).configured).toEqual([]);
    const ids = await connect(service, { impersonateServiceAccount: account }, none);
    expect(summaries(ids.configured)).toEqual(["ERROR - No Credentials"]);
  });

  test("of another universe must be expected", async () => {
    const google = await startGoogle();
    const json = { ...google.credentials.serviceAccount, universe_domain: "cloud.example" };
    const credentials = JSON.stringify(json);
    const { configured } = await startIds({ credentials });
    expect(summaries(configured)).toEqual(["ERROR universe_domain Universe Domain Mismatch"]);
    expect(details(configured)).toContain('Set universe_domain = "cloud.example"');
    expect((await startIds({ credentials, universeDomain: "cloud.example" })).configured).toEqual(
      [],
    );
  });

  test("are an error of the operation that needs them, with the setting", async () => {
    const google = await startGoogle();
    google.answers[paths.iam] = () => ({ status: 403, body: '{"error":{"message":"no"}}' });
    const service = await startService({ pollsUntilDone: 0 });
    const config = { accessToken: "t", impersonateServiceAccount: account, ...iam(google) };
    const { diagnostics } = await apply(await connect(service, config), edge);
    expect(summaries(diagnostics)).toEqual(["ERROR - No Access Token"]);
    expect(details(diagnostics)).toContain(`impersonate_service_account: ${account} cannot be`);
    expect(details(diagnostics)).toContain("roles/iam.serviceAccountTokenCreator");
    expect(service.requests).toEqual([]);
  });
});

/** A configuration without settings. */
const nothing = {
  project: null,
  region: null,
  zone: null,
  credentials: null,
  accessToken: null,
  impersonateServiceAccount: null,
  impersonateServiceAccountDelegates: null,
  userProjectOverride: null,
  billingProject: null,
  requestReason: null,
  requestTimeout: null,
  pollInterval: null,
  universeDomain: null,
  cloudIdsCustomEndpoint: null,
  iamCredentialsCustomEndpoint: null,
};

/** No machine of Google's. */
const none: Variables = { HOME: "/nowhere", METADATA_SERVER_DETECTION: "none" };

describe("external_credentials", () => {
  const values = { audience: "a", serviceAccountEmail: account, identityToken: "HUSH-identity" };

  test("are exchanged at Google's token service, for a token of the service account", async () => {
    const config = { ...nothing, externalCredentials: [values], universeDomain: "cloud.example" };
    const google = await startGoogle();
    const context = {
      env: {},
      log: { redact: () => undefined } as unknown as Logger,
      terraformVersion: "1.0.0",
      signal: new AbortController().signal,
    };
    const { services } = google;
    const found = await findCredentials({ config, context, services, isLocal: false });
    expect(found).toMatchObject({
      type: "external_account",
      tokenUrl: "https://sts.cloud.example/v1/token",
      subject: { kind: "given", token: "HUSH-identity" },
      impersonation: {
        url: `https://iamcredentials.cloud.example/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
      },
    });
  });

  test("that are unknown prevent requests, but not the configuration", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const unknown = [{ ...values, identityToken: UNKNOWN }];
    const ids = await connect(service, { externalCredentials: unknown });
    expect(ids.configured).toEqual([]);
    const { diagnostics } = await apply(ids, edge);
    expect(summaries(diagnostics)).toEqual(["ERROR - Provider Setting Not Known Yet"]);
    expect(details(diagnostics)).toContain("external_credentials");
  });
});

describe("the project of the credentials", () => {
  test("is that of endpoints without any other", async () => {
    const google = await startGoogle();
    const service = await startService({ pollsUntilDone: 0 });
    const credentials = JSON.stringify(google.credentials.serviceAccount);
    const ids = await connect(service, { credentials, project: null });
    const state = await create(ids);
    expect(state).toMatchObject({ project: "key-project" });
    expect((await readEndpoint(ids, state)).state).toEqual(state);
  });

  test("is unknown while the credentials are", async () => {
    const service = await startService({ pollsUntilDone: 0 });
    const ids = await connect(service, { credentials: UNKNOWN, project: null });
    expect((await plan(ids, edge)).planned).toMatchObject({ project: UNKNOWN });
  });
});
