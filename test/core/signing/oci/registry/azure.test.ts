import { failureOf } from "./registries";
import { answer, type Asked, formOf, now, openCloud } from "./clouds";

const exchange = (registry: string) => `POST https://${registry}/oauth2/exchange`;
const refreshToken = () => answer({ refresh_token: "the-refresh-token" });
const accessToken = () =>
  answer({ token_type: "Bearer", access_token: "the-access-token", expires_in: 3_600 });
const expected = {
  kind: "identity-token",
  token: "the-refresh-token",
  expiresAt: now.getTime() + 7_200_000,
};
const client = { AZURE_CLIENT_ID: "client", AZURE_TENANT_ID: "tenant" };
const signInAt = (authority: string) => ({
  [`POST https://${authority}/tenant/oauth2/v2.0/token`]: accessToken,
});

const posted = (asked: readonly Asked[]) => asked.filter(({ body }) => body !== "");
const exchanged = (registry: string, tenant = "tenant") => ({
  grant_type: "access_token",
  service: registry,
  ...(tenant === "" ? {} : { tenant }),
  access_token: "the-access-token",
});

const inAnHour = Math.round(Date.now() / 1_000) + 3_600;
const registry = "ourteam.azurecr.io";

// The first test, because the library remembers the kind of the machine.
test("the token of a managed identity is exchanged for one of the registry", async () => {
  const endpoint = "http://169.254.129.2:8081/msi/token";
  const { find, asked } = await openCloud(
    {
      [`GET ${endpoint}`]: () =>
        answer({ access_token: "the-access-token", expires_on: String(inAnHour), resource: "r" }),
      [exchange(registry)]: refreshToken,
    },
    { environment: { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: "the-header" } },
  );
  expect(await find(registry)).toEqual(expected);
  const [identity, last] = asked;
  expect(Object.fromEntries(new URL(identity?.url ?? "").searchParams)).toEqual({
    "api-version": "2019-08-01",
    resource: "https://containerregistry.azure.net",
  });
  expect(identity?.headers["x-identity-header"]).toBe("the-header");
  expect(last && formOf(last)).toEqual(exchanged(registry, ""));
});

test.each([
  ["ourteam.azurecr.io", "login.microsoftonline.com"],
  ["ourteam.azurecr.us", "login.microsoftonline.us"],
  ["ourteam.azurecr.cn", "login.partner.microsoftonline.cn"],
])("an application's secret is exchanged for a token of %s, at %s", async (registry, authority) => {
  const { find, asked } = await openCloud(
    {
      ...signInAt(authority),
      [exchange(registry)]: refreshToken,
    },
    { environment: { ...client, AZURE_CLIENT_SECRET: "the+secret" } },
  );
  expect(await find(registry)).toEqual(expected);
  const [proof, last] = posted(asked).map(formOf);
  expect(proof).toMatchObject({
    grant_type: "client_credentials",
    client_id: "client",
    scope: expect.stringContaining("https://containerregistry.azure.net/.default") as string,
    client_secret: "the+secret",
  });
  expect(last).toEqual(exchanged(registry));
});

test("so is a federated token of a workload", async () => {
  const { find, asked } = await openCloud(
    { ...signInAt("login.microsoftonline.com"), [exchange(registry)]: refreshToken },
    {
      files: { token: "the-federated-token\n" },
      environment: { ...client, AZURE_FEDERATED_TOKEN_FILE: "HOME/token" },
    },
  );
  expect(await find(registry)).toEqual(expected);
  expect(posted(asked).map(formOf)[0]).toMatchObject({
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: "the-federated-token",
  });
});

test.each(["evil.example", "169.254.evil.example", "10.0.0.1"])(
  "an identity endpoint at %s is refused: it is no address of this machine",
  async (host) => {
    const environment = { IDENTITY_ENDPOINT: `http://${host}/`, IDENTITY_HEADER: "the-header" };
    const { find, asked } = await openCloud({}, { environment });
    const { message } = await failureOf(find(registry));
    expect(message).toContain(`IDENTITY_ENDPOINT must be an address of this machine (got ${host})`);
    expect(asked).toEqual([]);
  },
);

test.each([
  { IDENTITY_ENDPOINT: "http://evil.example/", IDENTITY_HEADER: "the-header" },
  { ...client, AZURE_TENANT_ID: "../evil", AZURE_CLIENT_SECRET: "the-secret" },
  { ...client, AZURE_FEDERATED_TOKEN_FILE: "/nowhere/token" },
])("wrong settings are an error, and nothing is sent: %j", async (environment) => {
  const { find, asked } = await openCloud({}, { environment });
  const failure = await failureOf(find(registry));
  expect(failure.code).toBe("CREDENTIALS");
  expect(failure.message).not.toMatch(/the-(?:header|secret)/);
  expect(asked).toEqual([]);
});
