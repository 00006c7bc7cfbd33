import { verify } from "node:crypto";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ScriptedRequest } from "../http/scripted-server";
import { audience, formOf, googleErrorOf, paths, publicKey, startGoogle } from "./google-services";

const scope = "https://www.googleapis.com/auth/cloud-platform";

/** The parts of a request that services see, and that a client must not change. */
function essence({ method, url, headers, body }: ScriptedRequest) {
  const { authorization, "content-type": type } = headers;
  return { method, url, authorization, type: type?.replace(/;.*/, ""), body: body.toString() };
}

/** The token that Google's library gets. Its requests are sent to our double. */
async function libraryToken(work: object): Promise<string> {
  const file = join(__dirname, "google-library.js");
  const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(work)]);
  return stdout;
}

describe("the requests, byte by byte", () => {
  test("a service account sends a claim that it has signed to the token endpoint of its key", async () => {
    const google = await startGoogle();
    expect(await google.token(google.credentials.serviceAccount)).toBe("oauth-token");
    const [request] = google.requests;
    if (request === undefined) throw new Error("no request");
    expect(essence(request)).toMatchObject({
      method: "POST",
      url: "/token",
      authorization: undefined,
      type: "application/x-www-form-urlencoded",
    });
    const form = formOf(request);
    expect(Object.keys(form)).toEqual(["grant_type", "assertion"]);
    expect(form["grant_type"]).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [header = "", claims = "", signature = ""] = (form["assertion"] ?? "").split(".");
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify("sha256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
    const decoded = (part: string): unknown =>
      JSON.parse(Buffer.from(part, "base64url").toString());
    const iat = Math.floor(google.clock.now() / 1000);
    expect(decoded(header)).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
    expect(decoded(claims)).toEqual({
      iss: "robot@p.iam.gserviceaccount.com",
      scope,
      aud: `${google.origin}/token`,
      iat,
      exp: iat + 3600,
    });
  });

  test("a service account's form is that of Google's library", async () => {
    const google = await startGoogle();
    const { serviceAccount } = google.credentials;
    await google.token(serviceAccount);
    const { origin } = google;
    const work = { kind: "serviceAccount", json: serviceAccount, origin, scope };
    expect(await libraryToken(work)).toBe("oauth-token");
    const [our, their] = google.requests.map((request) => {
      const { assertion = "", ...form } = formOf(request);
      const [header = "", claims = ""] = assertion
        .split(".")
        .map((part) => Buffer.from(part, "base64url").toString());
      return {
        ...form,
        headers: Object.keys(JSON.parse(header) as object).filter(
          (name) => !["kid", "typ"].includes(name),
        ),
        claims: Object.keys(JSON.parse(claims) as object).sort(),
      };
    });
    expect(our).toEqual(their);
  });

  test("a user sends the refresh token, as Google's library does", async () => {
    const google = await startGoogle();
    const { user } = google.credentials;
    expect(await google.token(user)).toBe("oauth-token");
    const { origin } = google;
    expect(await libraryToken({ kind: "user", json: user, origin })).toBe("oauth-token");
    const [our, their] = google.requests.map((request) => ({
      ...essence(request),
      body: formOf(request),
    }));
    expect(our).toEqual(their);
    expect(our?.body).toEqual({
      grant_type: "refresh_token",
      client_id: "client",
      client_secret: "secret-client",
      refresh_token: "secret-refresh",
    });
  });

  test("a user of a workforce pool sends the refresh token, as Google's library does", async () => {
    const google = await startGoogle();
    const { workforceUser } = google.credentials;
    expect(await google.token(workforceUser)).toBe("workforce-token");
    const work = { kind: "workforceUser", json: workforceUser };
    expect(await libraryToken(work)).toBe("workforce-token");
    const [our, their] = google.requests.map(essence);
    expect(our).toEqual(their);
    expect(our?.authorization).toBe(
      `Basic ${Buffer.from("client:secret-client").toString("base64")}`,
    );
  });

  test("an external account exchanges its token, as Google's library does", async () => {
    const google = await startGoogle();
    const { external } = google.credentials;
    expect(await google.token(external)).toBe("federated-token");
    expect(await libraryToken({ kind: "external", json: external })).toBe("federated-token");
    const sent = google.requests.filter(({ url }) => url === paths.sts);
    const [our, their] = sent.map((request) => ({ ...essence(request), body: formOf(request) }));
    expect(our?.body).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience,
      scope,
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      subject_token: "subject-token",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    });
    // The library sends the end of the line as part of the token.
    expect({ ...their, body: { ...their?.body, subject_token: "subject-token" } }).toEqual(our);
  });

  test("an impersonated account is asked for like Google's library does", async () => {
    const google = await startGoogle();
    const account = "deployer@p.iam.gserviceaccount.com";
    const token = await google.token({
      type: "impersonated_service_account",
      service_account_impersonation_url: google.impersonationUrl(account),
      source_credentials: google.credentials.user,
      delegates: ["hop@p.iam.gserviceaccount.com"],
    });
    expect(token).toBe("impersonated-token");
    const delegates = ["projects/-/serviceAccounts/hop@p.iam.gserviceaccount.com"];
    const { origin } = google;
    const work = { kind: "impersonated", account, delegates, origin, scope };
    expect(await libraryToken(work)).toBe("impersonated-token");
    const sent = google.requests.filter(({ url }) => url.startsWith(paths.iam));
    const [our, their] = sent.map((request) => ({
      ...essence(request),
      body: JSON.parse(request.body.toString()) as unknown,
    }));
    expect(our).toEqual(their);
    expect(our).toMatchObject({
      authorization: "Bearer oauth-token",
      body: {
        delegates: ["projects/-/serviceAccounts/hop@p.iam.gserviceaccount.com"],
        scope: [scope],
        lifetime: "3600s",
      },
    });
  });

  test("an external account can impersonate a service account, with a lifetime", async () => {
    const google = await startGoogle();
    const token = await google.token({
      ...google.credentials.external,
      service_account_impersonation_url: google.impersonationUrl("x@p.iam.gserviceaccount.com"),
      service_account_impersonation: { token_lifetime_seconds: 900 },
    });
    expect(token).toBe("impersonated-token");
    const sent = google.requests.at(-1);
    expect(sent?.headers.authorization).toBe("Bearer federated-token");
    expect(JSON.parse(String(sent?.body))).toEqual({ scope: [scope], lifetime: "900s" });
  });

  test.each([
    ["names the user's project without a client", {}, undefined, '{"userProject":"42"}'],
    [
      "sends the client's secret instead",
      { client_id: "client", client_secret: "hush" },
      `Basic ${Buffer.from("client:hush").toString("base64")}`,
      undefined,
    ],
  ])("a workforce pool %s", async (_, client, authorization, options) => {
    const google = await startGoogle();
    await google.token({
      ...google.credentials.external,
      ...client,
      workforce_pool_user_project: "42",
    });
    const sent = google.requests.at(-1);
    expect(sent?.headers.authorization).toBe(authorization);
    expect(sent && formOf(sent)["options"]).toBe(options);
  });
});

describe("credentials that Google refuses", () => {
  const refusal = (status: number, value: unknown) => () => ({
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
  const revoked = refusal(400, {
    error: "invalid_grant",
    error_description: "secret-refresh of secret-client has been revoked",
  });

  test.each<["user" | "workforceUser" | "serviceAccount" | "external", string, string]>([
    ["user", paths.oauth, "log in again with gcloud auth application-default login"],
    ["workforceUser", paths.workforce, "application-default login --login-config"],
    [
      "serviceAccount",
      paths.oauth,
      "create a new key with gcloud iam service-accounts keys create",
    ],
    ["external", paths.sts, "compare its audience"],
  ])("say where they come from, and how to replace them: %s", async (kind, path, advice) => {
    const google = await startGoogle();
    google.answers[path] = revoked;
    const failure = await googleErrorOf(google.token(google.credentials[kind]));
    expect(failure.code).toBe("REFUSED");
    expect(failure.message).toMatch(
      /^KEY: the token endpoint http:.* responded with HTTP status 400/,
    );
    expect(failure.message).toContain("invalid_grant");
    expect(failure.message).toContain(advice);
    expect(failure.cause).toBeUndefined();
    if (/user/i.test(kind)) expect(failure.message).not.toMatch(/secret-(?:client|refresh)/);
  });

  test("by a server that is not a token endpoint say nothing about the login", async () => {
    const google = await startGoogle();
    google.answers[paths.oauth] = () => ({ status: 403, body: "<html>blocked</html>" });
    const failure = await googleErrorOf(google.token(google.credentials.user));
    expect(failure.message).toMatch(/responded with HTTP status 403: "<html>blocked<\/html>"$/);
  });

  test.each([
    [
      403,
      { status: "PERMISSION_DENIED" },
      "grant the credentials roles/iam.serviceAccountTokenCreator on x@p.iam.gserviceaccount.com",
    ],
    [
      403,
      { details: [{ reason: "SERVICE_DISABLED" }] },
      "enable the API iamcredentials.googleapis.com",
    ],
    [404, { status: "NOT_FOUND" }, "check the name of the service account"],
  ])("cannot impersonate an account: HTTP %s %j", async (status, error, advice) => {
    const google = await startGoogle();
    google.answers[paths.iam] = refusal(status, {
      error: { code: status, message: "no: oauth-token", ...error },
    });
    const failure = await googleErrorOf(
      google.token({
        type: "impersonated_service_account",
        service_account_impersonation_url: google.impersonationUrl("x@p.iam.gserviceaccount.com"),
        source_credentials: google.credentials.user,
      }),
    );
    expect(failure.code).toBe("IMPERSONATION");
    expect(failure.message).toContain("x@p.iam.gserviceaccount.com cannot be impersonated");
    expect(failure.message).toContain(advice);
    expect(failure.message).not.toContain("oauth-token");
  });

  test.each([
    ["an HTML page", "<html>login</html>"],
    ["no token", JSON.stringify({ expires_in: 3599 })],
    ["a token that is no header", JSON.stringify({ access_token: "a\r\nb: c" })],
  ])("get no token from %s", async (_, body) => {
    const google = await startGoogle();
    google.answers[paths.oauth] = () => ({ body });
    const failure = await googleErrorOf(google.token(google.credentials.user));
    expect(failure.message).toMatch(/did not return a token$/);
  });

  test("are not sent elsewhere by a redirect", async () => {
    const google = await startGoogle();
    const stranger = await startGoogle();
    google.answers[paths.oauth] = () => ({
      status: 307,
      headers: { location: `${stranger.origin}/token` },
    });
    const failure = await googleErrorOf(google.token(google.credentials.user));
    expect(failure.message).toContain("HTTP status 307");
    expect(stranger.requests).toEqual([]);
  });

  test("are tried again after a temporary failure", async () => {
    const google = await startGoogle();
    const good = google.answers[paths.oauth];
    let tries = 0;
    google.answers[paths.oauth] = (request) => (++tries < 3 ? { status: 503 } : good?.(request));
    expect(await google.token(google.credentials.user)).toBe("oauth-token");
  });

  test("with a broken key fail without showing it", async () => {
    const google = await startGoogle();
    const broken = google.credentials.serviceAccount.private_key.replaceAll(/[A-M]/g, "x");
    const json = { ...google.credentials.serviceAccount, private_key: broken };
    const failure = await googleErrorOf(google.token(json));
    expect(failure.message).toBe("private_key in KEY is not a usable RSA key in PEM form");
    expect(failure.cause).toBeUndefined();
    expect(google.requests).toEqual([]);
  });
});

test("every secret is redacted from logs before it is sent", async () => {
  const google = await startGoogle();
  await google.token(google.credentials.user);
  expect(google.redacted).toEqual(
    expect.arrayContaining(["secret-client", "secret-refresh", "oauth-token"]),
  );
});
