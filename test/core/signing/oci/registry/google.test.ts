import { generateKeyPairSync, verify } from "node:crypto";
import { cloudCredentials } from "../../../../../src/core/signing/oci/registry/cloud-credentials";
import { contextOf, failureOf } from "./registries";
import { answer, formOf, now, openCloud } from "./clouds";

const tokenService = "POST https://oauth2.googleapis.com/token";
const metadata = "computeMetadata/v1/instance/service-accounts/default/token";
const token = () => answer({ access_token: "ya29.token", expires_in: 3_599 });
const isGoogle = { "metadata-flavor": "Google" };
const expected = {
  kind: "basic",
  username: "oauth2accesstoken",
  password: "ya29.token",
  expiresAt: now.getTime() + 3_599_000,
};
const user = {
  type: "authorized_user",
  client_id: "id",
  client_secret: "the-client-secret",
  refresh_token: "the-refresh-token",
};

test("the file of gcloud is exchanged for an access token", async () => {
  const { find, asked, redacted } = await openCloud(
    { [tokenService]: token },
    { files: { ".config/gcloud/application_default_credentials.json": user } },
  );
  expect(await find("europe-west1-docker.pkg.dev")).toEqual(expected);
  expect(asked.map(formOf)).toEqual([
    {
      grant_type: "refresh_token",
      client_id: "id",
      client_secret: "the-client-secret",
      refresh_token: "the-refresh-token",
    },
  ]);
  expect(redacted).toEqual(
    expect.arrayContaining(["the-client-secret", "the-refresh-token", "ya29.token"]),
  );
});

test("the key of a service account signs a request for an access token", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = {
    type: "service_account",
    client_email: "robot@project.iam.gserviceaccount.com",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
  const { find, asked } = await openCloud(
    { [tokenService]: token },
    {
      files: { "key.json": key },
      environment: { GOOGLE_APPLICATION_CREDENTIALS: "HOME/key.json" },
    },
  );
  expect(await find("gcr.io")).toEqual(expected);
  const [form] = asked.map(formOf);
  const [header = "", claims = "", signature = ""] = (form?.["assertion"] ?? "").split(".");
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
    iss: "robot@project.iam.gserviceaccount.com",
    scope: "https://www.googleapis.com/auth/cloud-platform",
    aud: "https://oauth2.googleapis.com/token",
    iat: now.getTime() / 1_000,
    exp: now.getTime() / 1_000 + 3_600,
  });
  const content = Buffer.from(`${header}.${claims}`);
  expect(verify("sha256", content, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
});

test("a machine of Google asks its metadata server", async () => {
  const url = `http://169.254.169.254/${metadata}`;
  const { find, asked } = await openCloud(
    { [`GET ${url}`]: () => ({ ...token(), headers: isGoogle }) },
    { machineName: "Google Compute Engine" },
  );
  expect(await find("gcr.io")).toEqual(expected);
  expect(asked[0]?.headers["metadata-flavor"]).toBe("Google");
});

test("the address of the metadata server is not asked on other machines", async () => {
  const { find, asked } = await openCloud({});
  expect(await find("gcr.io")).toBeUndefined();
  expect(asked).toEqual([]);
});

test("a machine without a service account has no credentials", async () => {
  const url = `http://emulator.test:8080/${metadata}`;
  const { find } = await openCloud(
    { [`GET ${url}`]: () => ({ status: 404, headers: isGoogle }) },
    { environment: { GCE_METADATA_HOST: "emulator.test:8080" } },
  );
  expect(await find("gcr.io")).toBeUndefined();
});

test("a workload of another identity provider exchanges its token", async () => {
  const { find, asked } = await openCloud(
    { "POST https://sts.googleapis.com/v1/token": token },
    {
      files: {
        token: "the-subject-token",
        "key.json": {
          type: "external_account",
          audience:
            "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
          subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
          token_url: "https://sts.googleapis.com/v1/token",
          credential_source: { file: "HOME/token" },
        },
      },
      environment: { GOOGLE_APPLICATION_CREDENTIALS: "HOME/key.json" },
    },
  );
  expect(await find("gcr.io")).toEqual(expected);
  expect(asked.map(formOf)).toMatchObject([{ subject_token: "the-subject-token" }]);
});

test("credentials of another cloud of Google's are an error, and nothing is sent", async () => {
  const { find, asked } = await openCloud(
    {},
    {
      files: { "key.json": { ...user, universe_domain: "example-cloud.test" } },
      environment: { GOOGLE_APPLICATION_CREDENTIALS: "HOME/key.json" },
    },
  );
  const failure = await failureOf(find("gcr.io"));
  expect(failure.message).toContain("is for example-cloud.test, not for googleapis.com");
  expect(asked).toEqual([]);
});

test.each([
  ["that is absent", undefined, "does not exist"],
  ["that is not JSON", "text", "does not contain a JSON object"],
  ["without a token", { ...user, refresh_token: "" }, "has no refresh_token"],
  [
    "with a broken key",
    { type: "service_account", client_email: "a@b", private_key: "the-private-key" },
    "private_key",
  ],
])("a file %s is an error that names it, not its secrets", async (_, content, problem) => {
  const { find } = await openCloud(
    {},
    {
      files: content === undefined ? {} : { "key.json": content },
      environment: { GOOGLE_APPLICATION_CREDENTIALS: "HOME/key.json" },
    },
  );
  const failure = await failureOf(find("gcr.io"));
  expect(failure.code).toBe("CREDENTIALS");
  expect(failure.message).toContain("key.json");
  expect(failure.message).toContain(problem);
  expect(failure.message).not.toMatch(/the-(?:client|private)/);
});

test("a bug stays what it is, and is not taken for credentials that cannot be used", async () => {
  const bug = new TypeError("a bug");
  const fail = () => Promise.reject(bug);
  const http = { request: fail, open: fail, close: () => Promise.resolve() };
  const env = { HOME: "/nowhere", GCE_METADATA_HOST: "emulator.test:8080" };
  const settings = { http, env, redact: () => undefined, productFile: "/nowhere" };
  await expect(cloudCredentials(settings).find("gcr.io", contextOf())).rejects.toBe(bug);
});
