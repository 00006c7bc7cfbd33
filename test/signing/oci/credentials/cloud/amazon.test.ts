import { signedHeaders } from "../../../../../src/signing/oci/credentials/cloud/amazon-signature";
import { failureOf } from "../../registry/registries";
import { answer, openCloud } from "./clouds";

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

// From Amazon's test suite for version 4 of its signatures.
test.each([
  ["GET", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["POST", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
])("a %s request is signed as in Amazon's own example", (method, signature) => {
  const { authorization } = signedHeaders(
    {
      method,
      url: new URL("https://example.amazonaws.com/"),
      headers: {},
      body: "",
      region: "us-east-1",
      service: "service",
      now: new Date("2015-08-30T12:36:00Z"),
    },
    {
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    },
  );
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  );
});

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

test.each([
  [
    { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/credentials/1" },
    "http://169.254.170.2/v2/credentials/1",
  ],
  [
    {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://169.254.170.23/v1/credentials",
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "HOME/token",
    },
    "http://169.254.170.23/v1/credentials",
  ],
])("a container gets its keys from its agent: %j", async (environment, url) => {
  const keys = { AccessKeyId: "AKID", SecretAccessKey: "secret", Token: "session" };
  const { find, asked } = await openCloud(
    { [`GET ${url}`]: () => answer(keys), [api]: token },
    { environment, files: { token: "the-agents-token\n" } },
  );
  expect(await find(registry)).toEqual(expected);
  const withFile = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE" in environment;
  expect(asked[0]?.headers.authorization).toBe(withFile ? "the-agents-token" : undefined);
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
