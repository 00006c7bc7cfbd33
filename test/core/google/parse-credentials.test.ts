import { type GoogleError, isGoogleError } from "../../../src/core/google/google-error";
import { parseCredentials } from "../../../src/core/google/parse-credentials";
import { readCredentials } from "../../../src/core/google/read-credentials";
import { googleErrorOf } from "./google-services";

const external = {
  type: "external_account",
  audience: "a",
  subject_token_type: "t",
  credential_source: { file: "/token" },
};
const user = {
  type: "authorized_user",
  client_id: "i",
  client_secret: "HUSH",
  refresh_token: "HUSH",
};
const key = { type: "service_account", client_email: "e", private_key: "HUSH" };
const impersonated = {
  type: "impersonated_service_account",
  source_credentials: user,
  service_account_impersonation_url:
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/x@p:generateAccessToken",
};

interface Nested {
  readonly nested?: boolean;
}

const refusalOf = (json: unknown): GoogleError => {
  try {
    parseCredentials(typeof json === "string" ? json : JSON.stringify(json), "KEY");
  } catch (error) {
    if (isGoogleError(error)) return error;
    throw error;
  }
  throw new Error("accepted");
};

test.each<[string, object, object]>([
  ["a key", key, { tokenUrl: "https://oauth2.googleapis.com/token" }],
  ["a user", user, { tokenUrl: "https://oauth2.googleapis.com/token" }],
  [
    "a workforce user",
    { ...user, type: "external_account_authorized_user" },
    { tokenUrl: "https://sts.googleapis.com/v1/oauthtoken" },
  ],
  ["an external account", external, { tokenUrl: "https://sts.googleapis.com/v1/token" }],
  [
    "a regional token service",
    { ...external, token_url: "https://sts.us-east1.rep.googleapis.com/v1/token" },
    { tokenUrl: "https://sts.us-east1.rep.googleapis.com/v1/token" },
  ],
  [
    "a token endpoint of one's own",
    { ...key, token_uri: "https://tokens.example/t" },
    { tokenUrl: "https://tokens.example/t" },
  ],
  ["an impersonated account", impersonated, { source: { clientId: "i" } }],
])("%s is read", (_, json, expected) => {
  expect(parseCredentials(JSON.stringify(json), "KEY")).toMatchObject(expected);
});

test("credentials of another universe are read where that one is used", () => {
  const universeDomain = "cloud.example";
  const json = JSON.stringify({ ...external, universe_domain: universeDomain });
  const tokenUrl = "https://sts.cloud.example/v1/token";
  expect(parseCredentials(json, "KEY", { universeDomain })).toMatchObject({
    tokenUrl,
    universeDomain,
  });
  expect(() => parseCredentials(JSON.stringify(external), "KEY", { universeDomain })).toThrow(
    "KEY is for googleapis.com, not for cloud.example",
  );
});

describe("a file that is wrong is refused, with its field and without its content:", () => {
  test.each<[string, unknown, string]>([
    ["no JSON", '{"private_key": "HUSH', "KEY does not contain a JSON object"],
    ["a list", "[]", "KEY does not contain a JSON object"],
    ["no type", { key: "HUSH" }, "KEY has no type; supported types are"],
    ["a strange type", { type: "HUSH HUSH" }, "KEY has an unknown type; supported types are"],
    ["a type after other text", { type: "HUSH user" }, "KEY has an unknown type"],
    [
      "an unsupported type",
      { type: "gdch_service_account" },
      "has the unsupported type gdch_service_account; supported types are service_account",
    ],
    [
      "a key without its parts",
      { type: "service_account", private_key: "HUSH" },
      "KEY has no client_email",
    ],
    [
      "a user without a login",
      { type: "authorized_user", client_id: "HUSH" },
      "KEY has no client_secret and no refresh_token",
    ],
    ["a field of another type", { ...key, private_key: 7 }, "private_key in KEY must be a string"],
    [
      "a universe that is no domain",
      { ...key, universe_domain: "evil.example/x?" },
      "universe_domain in KEY must be a domain",
    ],
    [
      "no source",
      { ...external, credential_source: undefined },
      "KEY has no object credential_source",
    ],
    [
      "an empty source",
      { ...external, credential_source: {} },
      "exactly one of file, url, executable",
    ],
    [
      "two sources",
      { ...external, credential_source: { file: "/a", url: "https://a.example" } },
      "exactly one of",
    ],
    [
      "a certificate",
      { ...external, credential_source: { certificate: {} } },
      "certificate is not supported",
    ],
    [
      "a new AWS version",
      { ...external, credential_source: { environment_id: "aws2" } },
      "environment_id must be aws1",
    ],
    [
      "a long lifetime",
      { ...external, service_account_impersonation: { token_lifetime_seconds: 1e9 } },
      "service_account_impersonation.token_lifetime_seconds in KEY must be an integer between 600 and 43200",
    ],
    [
      "no account to impersonate",
      { ...impersonated, service_account_impersonation_url: undefined },
      "KEY has no service_account_impersonation_url",
    ],
    [
      "an account that is no text in the delegation",
      { ...impersonated, delegates: ["a@p", 7] },
      "delegates in KEY must be a list of strings",
    ],
    [
      "a delegation that is no list",
      { ...impersonated, delegates: "HUSH" },
      "delegates in KEY must be a list of strings",
    ],
    [
      "nesting without end",
      {
        ...impersonated,
        source_credentials: { ...impersonated, source_credentials: { ...impersonated } },
      },
      "source_credentials in KEY are nested too deeply",
    ],
  ])("%s", (_, json, text) => {
    const { code, message } = refusalOf(json);
    expect(code).toBe("FILE");
    expect(message).toContain(text);
    expect(message).not.toContain("HUSH");
  });
});

describe("a URL in a file is refused before anything is sent there:", () => {
  const source = (url: string, more = {}) => ({ ...external, credential_source: { url, ...more } });

  test.each<[string, object, string]>([
    [
      "plain http to another machine",
      { ...key, token_uri: "http://oauth2.googleapis.com/token" },
      "token_uri in KEY has the scheme http; it must be https",
    ],
    [
      "user information",
      { ...user, token_uri: "https://a:b@c.example/" },
      "token_uri in KEY contains user information",
    ],
    [
      "a metadata service that would receive a secret",
      { ...user, token_uri: "http://169.254.169.254/token" },
      "token_uri in KEY has the scheme http; it must be https",
    ],
    ["no URL", { ...user, token_uri: "token" }, "token_uri in KEY is not a URL"],
    [
      "a token service that is not Google's",
      { ...external, token_url: "https://sts.googleapis.com.evil.example/v1/token" },
      "token_url in KEY has the host sts.googleapis.com.evil.example; it must be a host of googleapis.com",
    ],
    [
      "a name that only ends alike",
      { ...external, token_url: "https://evilgoogleapis.com/v1/token" },
      "must be a host of googleapis.com",
    ],
    [
      "a token service on this machine, which others can have started",
      { ...external, token_url: "https://127.0.0.1:8080/v1/token" },
      "token_url in KEY has the host 127.0.0.1; it must be a host of googleapis.com",
    ],
    [
      "the same without TLS",
      { ...external, token_url: "http://localhost:8080/v1/token" },
      "token_url in KEY has the scheme http; it must be https",
    ],
    [
      "impersonation on this machine",
      {
        ...impersonated,
        service_account_impersonation_url:
          "http://[::1]:8080/serviceAccounts/x@p:generateAccessToken",
      },
      "service_account_impersonation_url in KEY has the scheme http; it must be https",
    ],
    [
      "a workforce login elsewhere",
      { ...user, type: "external_account_authorized_user", token_url: "https://evil.example/" },
      "must be a host of googleapis.com",
    ],
    [
      "impersonation elsewhere",
      {
        ...impersonated,
        service_account_impersonation_url:
          "https://evil.example/serviceAccounts/x@p:generateAccessToken",
      },
      "must be a host of googleapis.com",
    ],
    [
      "impersonation that is another call",
      {
        ...impersonated,
        service_account_impersonation_url:
          "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/x@p:signBlob",
      },
      "must end with /serviceAccounts/EMAIL:generateAccessToken",
    ],
    [
      "a source with plain http",
      source("http://tokens.example/"),
      "credential_source.url in KEY has the scheme http",
    ],
    [
      "a source that is a file",
      source("file:///etc/passwd"),
      "credential_source.url in KEY has the scheme file",
    ],
    [
      "AWS metadata elsewhere",
      source("http://169.254.169.254/x", {
        environment_id: "aws1",
        region_url: "http://evil.example/",
        regional_cred_verification_url: "https://sts.{region}.amazonaws.com",
      }),
      "credential_source.region_url in KEY has the scheme http",
    ],
    [
      "a request to AWS without TLS",
      source("http://169.254.169.254/x", {
        environment_id: "aws1",
        regional_cred_verification_url: "http://sts.{region}.amazonaws.com",
      }),
      "credential_source.regional_cred_verification_url in KEY has the scheme http",
    ],
  ])("%s", (_, json, text) => {
    const { code, message } = refusalOf(json);
    expect(code).toBe("URL");
    expect(message).toContain(text);
    expect(message).toContain("nothing was sent");
  });

  test.each([
    "https://pipelines.actions.githubusercontent.com/token?x=1",
    "http://169.254.169.254/metadata/identity/oauth2/token",
    "http://[fd00:ec2::254]/latest/meta-data",
    "http://127.0.0.1:40342/metadata",
    "http://localhost:8080/token",
  ])("but not that of another cloud's machine, or of an agent: %s", (url) => {
    expect(parseCredentials(JSON.stringify(source(url)), "KEY").type).toBe("external_account");
  });
});

test.each<[string, object]>([
  ["an external account", external],
  ["a user", user],
  ["a key", key],
  ["credentials within others", { ...impersonated, universe_domain: undefined, nested: true }],
])("a file cannot choose the universe that receives %s", (_, { nested, ...json }: Nested) => {
  const universe = { universe_domain: "evil.example" };
  const file = nested
    ? { ...json, source_credentials: { ...user, ...universe } }
    : { ...json, ...universe };
  const { code, message } = refusalOf(file);
  expect(code).toBe("UNIVERSE");
  expect(message).toBe("KEY is for evil.example, not for googleapis.com");
});

test.each(["", " \n"])("instead of a path: the JSON itself, after %j", async (space) => {
  const json = `${space}${JSON.stringify(user)}`;
  expect(await readCredentials(json, { name: "GOOGLE_CREDENTIALS" }, {})).toMatchObject({
    type: "authorized_user",
    origin: "GOOGLE_CREDENTIALS",
  });
});

test.each([
  ["an access token", "ya29.HUSH", "it looks like a token or a key"],
  [
    "a bare key",
    ["-----BEGIN PRIVATE KEY", "HUSH"].join("-----\n"),
    "it looks like a token or a key",
  ],
  [
    "a missing file",
    "/nowhere/key.json",
    'GOOGLE_CREDENTIALS: the file "/nowhere/key.json" cannot be used',
  ],
  ["a folder", "/tmp", "it is not a regular file"],
])("instead of a path: %s", async (_, text, reason) => {
  const { message } = await googleErrorOf(
    readCredentials(text, { name: "GOOGLE_CREDENTIALS" }, {}),
  );
  expect(message).toContain(reason);
  expect(message).not.toContain("HUSH");
});
