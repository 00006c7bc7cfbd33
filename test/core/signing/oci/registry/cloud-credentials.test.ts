import { failureOf } from "./registries";
import { answer, openCloud } from "./clouds";

/** A machine with an identity in each cloud. */
const everywhere = {
  machineName: "Google Compute Engine",
  environment: {
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    AZURE_CLIENT_ID: "client",
    AZURE_TENANT_ID: "tenant",
    AZURE_CLIENT_SECRET: "secret",
  },
};

const services = {
  google: /^http:\/\/169\.254\.169\.254\//,
  amazon: /^https:\/\/(?:api\.ecr|ecr-fips)\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\/$/,
  azure: /^https:\/\/login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)\//,
};

test.each<[string, keyof typeof services | undefined]>([
  ["gcr.io", "google"],
  ["eu.gcr.io", "google"],
  ["europe-west1-docker.pkg.dev", "google"],
  ["123456789012.dkr.ecr.eu-central-1.amazonaws.com", "amazon"],
  ["123456789012.dkr.ecr-fips.us-east-1.amazonaws.com", "amazon"],
  ["123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn", "amazon"],
  ["ourteam.azurecr.io", "azure"],
  ["ourteam.azurecr.us", "azure"],
  ["ourteam-abc123.azurecr.cn", "azure"],
  // Whoever owns one of these must not get a token of the cloud.
  ["evilgcr.io", undefined],
  ["gcr.io.evil.example", undefined],
  ["gcr.io:5000", undefined],
  ["evil.gcr.io", undefined],
  ["docker.pkg.dev.evil.example", undefined],
  ["evil.docker.pkg.dev", undefined],
  ["pkg.dev", undefined],
  ["123456789012.dkr.ecr.eu-central-1.amazonaws.com.evil.example", undefined],
  ["123456789012.dkr.ecr.evil.example/.amazonaws.com", undefined],
  ["evil.example#.dkr.ecr.eu-central-1.amazonaws.com", undefined],
  ["evil.example/123456789012.dkr.ecr.eu-central-1.amazonaws.com", undefined],
  ["evil.123456789012.dkr.ecr.eu-central-1.amazonaws.com", undefined],
  ["1123456789012.dkr.ecr.eu-central-1.amazonaws.com", undefined],
  ["bucket.s3.amazonaws.com", undefined],
  ["azurecr.io", undefined],
  ["a.b.azurecr.io", undefined],
  ["ourteam.azurecr.io.evil.example", undefined],
  ["ourteam.azurecr.io\n", undefined],
  ["registry.example", undefined],
])("for the host %j, the identity of %s is used", async (registry, cloud) => {
  const metadata = "computeMetadata/v1/instance/service-accounts/default/token";
  const { find, asked } = await openCloud(
    { [`GET http://169.254.169.254/${metadata}`]: () => answer({}) },
    everywhere,
  );
  await find(registry).catch(() => undefined);
  const urls = asked.map(({ url }) => url);
  if (cloud === undefined) expect(urls).toEqual([]);
  else {
    expect(urls).not.toEqual([]);
    for (const url of urls) expect(url).toMatch(services[cloud]);
  }
});

test.each(["gcr.io", "123456789012.dkr.ecr.eu-central-1.amazonaws.com", "ourteam.azurecr.io"])(
  "a machine without an identity has no credentials for %s, and asks nobody",
  async (registry) => {
    const { find, asked } = await openCloud({});
    expect(await find(registry)).toBeUndefined();
    expect(asked).toEqual([]);
  },
);

test("a refusal is quoted in words, without the secret that it repeats", async () => {
  const error = { error: "invalid_client", error_description: "no: the+client/secret" };
  const { find } = await openCloud(
    {
      "POST https://login.microsoftonline.com/tenant/oauth2/v2.0/token": () => ({
        status: 401,
        body: JSON.stringify(error),
      }),
    },
    {
      environment: {
        AZURE_CLIENT_ID: "client",
        AZURE_TENANT_ID: "tenant",
        AZURE_CLIENT_SECRET: "the+client/secret",
      },
    },
  );
  const failure = await failureOf(find("ourteam.azurecr.io"));
  expect(failure.code).toBe("CREDENTIALS");
  expect(failure.message).toMatch(
    /^the registry credentials: the identity at Azure cannot be used: .*invalid_client.* no: \*\*\* .*; to use ourteam\.azurecr\.io without them, add an empty entry for it to auths in Docker's configuration$/,
  );
});

test("a redirect is not followed with a secret", async () => {
  const { find, asked } = await openCloud(
    {
      "POST https://api.ecr.eu-central-1.amazonaws.com/": () => ({
        status: 307,
        headers: { location: "https://evil.example/" },
      }),
      "POST https://evil.example/": () => answer({}),
    },
    { environment: { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" } },
  );
  const failure = await failureOf(find("123456789012.dkr.ecr.eu-central-1.amazonaws.com"));
  expect(failure.message).toContain("HTTP status 307");
  expect(asked).toHaveLength(1);
});
