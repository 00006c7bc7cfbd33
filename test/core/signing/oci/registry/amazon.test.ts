import { contextOf, failureOf } from "./registries";
import { answer, formOf, openCloud } from "./clouds";

const registry = "123456789012.dkr.ecr.eu-central-1.amazonaws.com";
const api = "POST https://api.ecr.eu-central-1.amazonaws.com/";
const authorizationToken = Buffer.from("AWS:the:password").toString("base64");
const token = () =>
  answer({ authorizationData: [{ authorizationToken, expiresAt: 1_800_000_000 }] });
const expected = {
  kind: "basic",
  username: "AWS",
  password: "the:password",
  expiresAt: 1_800_000_000_000,
};

// The SDK compares with the real time.
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

test("keys in the environment sign a request for the registry's token", async () => {
  const { find, asked } = await openCloud(
    { [api]: token },
    {
      environment: {
        AWS_ACCESS_KEY_ID: "AKID",
        AWS_SECRET_ACCESS_KEY: "the-secret-key",
        AWS_SESSION_TOKEN: "the-session",
      },
    },
  );
  expect(await find(registry)).toEqual(expected);
  const [request] = asked;
  expect(request?.body).toBe("{}");
  expect(request?.headers).toMatchObject({
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken",
    "x-amz-date": "20260102T030405Z",
    "x-amz-security-token": "the-session",
  });
  expect(request?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/20260102\/eu-central-1\/ecr\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=[\da-f]{64}$/,
  );
  expect(JSON.stringify(asked)).not.toContain("the-secret-key");
});

test.each([
  ["ecr-fips.us-east-1.amazonaws.com", "123456789012.dkr.ecr-fips.us-east-1.amazonaws.com"],
  ["api.ecr.cn-north-1.amazonaws.com.cn", "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn"],
])("the service %s gives the token for %s", async (host, name) => {
  const environment = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "secret" };
  const { find } = await openCloud({ [`POST https://${host}/`]: token }, { environment });
  expect(await find(name)).toEqual(expected);
});

const pair = (text: string) =>
  JSON.stringify({
    authorizationData: [{ authorizationToken: Buffer.from(text).toString("base64") }],
  });

test.each([
  ["is no JSON", "the-text", "Amazon's registry service did not return a JSON object"],
  ["has no token", "{}", "Amazon's registry service returned no authorizationToken"],
  [
    "has a token of two lines",
    JSON.stringify({ authorizationData: [{ authorizationToken: "the-text\nQUJD" }] }),
    "Amazon's registry service returned no authorizationToken",
  ],
  ["has no user name", pair("the-password"), "returned a token without a user name"],
  ["has an empty user name", pair(":the-password"), "returned a token without a user name"],
])("a response that %s is an error, and is not shown", async (_, body, problem) => {
  const environment = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "secret" };
  const { find } = await openCloud({ [api]: () => ({ body }) }, { environment });
  const failure = await failureOf(find(registry));
  expect(failure.code).toBe("CREDENTIALS");
  expect(failure.message).toContain(problem);
  expect(failure.message).not.toMatch(/the-(?:text|password)/);
});

test.each([
  [{ AWS_CONTAINER_AUTHORIZATION_TOKEN: "the-agents-token" }, "the-agents-token"],
  [{ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "HOME/token" }, "the-token-in-a-file"],
])("a container gets its keys from its agent: %j", async (authorization, sent) => {
  const keys = {
    AccessKeyId: "AKID",
    SecretAccessKey: "secret",
    Token: "session",
    Expiration: inAnHour,
  };
  const { find, asked } = await openCloud(
    { "GET http://machine/v1/credentials": () => answer(keys), [api]: token },
    {
      environment: {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: "MACHINE/v1/credentials",
        ...authorization,
      },
      files: { token: "the-token-in-a-file" },
    },
  );
  expect(await find(registry)).toEqual(expected);
  expect(asked[0]?.headers.authorization).toBe(sent);
  expect(asked[1]?.headers["x-amz-security-token"]).toBe("session");
});

test("a profile has keys", async () => {
  const { find, asked, redacted } = await openCloud(
    { [api]: token },
    {
      environment: { AWS_PROFILE: "team" },
      files: {
        ".aws/credentials":
          "[team]\naws_access_key_id = TEAM\naws_secret_access_key = the-secret-key\n",
      },
    },
  );
  expect(await find(registry)).toEqual(expected);
  expect(asked[0]?.headers.authorization).toContain("Credential=TEAM/20260102/eu-central-1/ecr/");
  expect(redacted).toEqual(["the-secret-key"]);
});

const roles = {
  AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/images",
  AWS_WEB_IDENTITY_TOKEN_FILE: "HOME/token",
};
const sts = "POST https://sts.eu-central-1.amazonaws.com/";
const assumed = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult><Credentials>
    <AccessKeyId>ROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
    <SessionToken>session</SessionToken><Expiration>${inAnHour}</Expiration>
  </Credentials></AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`;

test("a pod exchanges its token for the keys of a role, in the registry's region", async () => {
  const { find, asked, redacted } = await openCloud(
    { [sts]: () => ({ headers: { "content-type": "text/xml" }, body: assumed }), [api]: token },
    { environment: roles, files: { token: "the-pods-token" } },
  );
  expect(await find(registry)).toEqual(expected);
  const [role, request] = asked;
  expect(role && formOf(role)).toMatchObject({
    Action: "AssumeRoleWithWebIdentity",
    RoleArn: roles.AWS_ROLE_ARN,
    WebIdentityToken: "the-pods-token",
  });
  expect(request?.headers.authorization).toContain("Credential=ROLE/");
  expect(redacted).toEqual(["the-pods-token", "secret", "session"]);
});

test("a refusal of such a token is quoted without the token", async () => {
  const refusal = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error>
    <Type>Sender</Type><Code>InvalidIdentityToken</Code><Message>not accepted: the-pods-token</Message>
  </Error></ErrorResponse>`;
  const { find } = await openCloud(
    { [sts]: () => ({ status: 400, headers: { "content-type": "text/xml" }, body: refusal }) },
    { environment: roles, files: { token: "the-pods-token" } },
  );
  const { code, message } = await failureOf(find(registry));
  expect(code).toBe("CREDENTIALS");
  expect(message).toContain("the identity at Amazon cannot be used: not accepted: ***;");
});

test("a machine has the keys of its role", async () => {
  const role = { AccessKeyId: "EC2", SecretAccessKey: "secret", Token: "session" };
  const path = "http://machine/latest/meta-data/iam/security-credentials/";
  const { find, asked } = await openCloud(
    {
      "PUT http://machine/latest/api/token": () => ({ body: "the-metadata-token" }),
      [`GET ${path}`]: () => ({ body: "images" }),
      [`GET ${path}images`]: () => answer({ ...role, Expiration: inAnHour, Code: "Success" }),
      [api]: token,
    },
    {
      environment: {
        AWS_EC2_METADATA_DISABLED: "false",
        AWS_EC2_METADATA_SERVICE_ENDPOINT: "MACHINE",
      },
    },
  );
  expect(await find(registry)).toEqual(expected);
  expect(asked[1]?.headers["x-aws-ec2-metadata-token"]).toBe("the-metadata-token");
  expect(asked.at(-1)?.headers.authorization).toContain("Credential=EC2/");
});

test.each([
  { AWS_PROFILE: "absent" },
  { AWS_CONTAINER_CREDENTIALS_FULL_URI: "MACHINE/nothing" },
  roles,
])("an identity that is named but cannot be used is an error: %j", async (environment) => {
  const { find } = await openCloud(
    { "GET http://machine/nothing": () => ({ status: 404 }) },
    { environment },
  );
  expect((await failureOf(find(registry))).code).toBe("CREDENTIALS");
});

test("the search ends when it is cancelled, and at the deadline", async () => {
  const { find } = await openCloud(
    { [sts]: () => new Promise(() => undefined) },
    { environment: roles, files: { token: "the-pods-token" } },
  );
  const { signal } = new AbortController();
  const late = find(registry, { signal, deadline: Date.now() + 20 });
  await expect(late).rejects.toMatchObject({ code: "DEADLINE" });
  const cancelled = find(registry, { ...contextOf(), signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
});

test.each([
  { AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://evil.example/" },
  { AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://169.254.169.254/" },
  { AWS_CONTAINER_CREDENTIALS_FULL_URI: "no URL" },
  { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "@evil.example/" },
  { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: ".evil.example/" },
])("a container's agent is not looked for elsewhere: %j", async (environment) => {
  const more = { AWS_CONTAINER_AUTHORIZATION_TOKEN: "the-agents-token" };
  const { find, asked } = await openCloud({}, { environment: { ...environment, ...more } });
  const failure = await failureOf(find(registry));
  expect(failure.code).toBe("CREDENTIALS");
  expect(failure.message).not.toContain("the-agents-token");
  expect(asked).toEqual([]);
});
