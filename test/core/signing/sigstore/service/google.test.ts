import { generateKeyPairSync, verify } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  impersonatedToken,
  googleMachineToken,
} from "../../../../../src/core/signing/sigstore/service/google";
import {
  startScriptedServer,
  type ScriptedAnswer,
  type ScriptedRequest,
} from "../../../http/scripted-server";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { failureOf, textsOf, openSearch } from "./client-bench";

const google = { "metadata-flavor": "Google" };
const base = "/computeMetadata/v1/instance/service-accounts/default/";

/** All of Google's services on one server, by the beginning of the path. */
async function open(answers: Readonly<Record<string, ScriptedAnswer | undefined>>) {
  const answer = ({ url }: ScriptedRequest): ScriptedAnswer =>
    Object.entries(answers).find(([path]) => url.startsWith(path))?.[1] ?? { status: 404 };
  const server = await startScriptedServer(answer);
  const home = await temporaryFolder();
  const credentialsUrl = server.origin;
  const tokenUrl = `${server.origin}/oauth`;
  const bench = openSearch({ GCE_METADATA_HOST: `127.0.0.1:${server.port}`, HOME: home });
  return { server, home, credentialsUrl, tokenUrl, ...bench };
}

describe("a machine of Google's", () => {
  test("asks the metadata server for a token for signing", async () => {
    const { token } = openSearch({});
    const { search, server } = await open({ [base]: { headers: google, body: `${token}\n` } });
    expect(await googleMachineToken(search)).toMatchObject({ subject: "me", text: token });
    expect(server.requests).toMatchObject([
      { method: "GET", url: `${base}identity?audience=sigstore&format=full`, headers: google },
    ]);
  });

  test.each([
    ["has no service account", { status: 404, headers: google }],
    ["answers for somebody else", { body: "a.b.c" }],
  ])("has no identity when the server %s", async (_, answer) => {
    const { search } = await open({ [base]: answer });
    expect(await googleMachineToken(search)).toBeUndefined();
  });

  test("has no identity when there is no server", async () => {
    const { search, server } = await open({});
    await server.close();
    expect(await googleMachineToken(search)).toBeUndefined();
  });

  test("reports a server that refuses, and a value that is not a host", async () => {
    const { search } = await open({ [base]: { status: 403, headers: google, body: "blocked" } });
    expect(await failureOf(googleMachineToken(search))).toMatchObject({
      code: "IDENTITY",
      message: `Google's metadata server ${search.env["GCE_METADATA_HOST"] ?? ""} (GCE_METADATA_HOST) responded with HTTP status 403: "blocked".`,
    });
    const env = { GCE_METADATA_HOST: "example.com/path?x=" };
    const failure = await failureOf(googleMachineToken({ ...search, env }));
    expect(failure.message).toMatch(/^GCE_METADATA_HOST must be a host/);
  });

  test("does not follow a redirect to another host", async () => {
    const stranger = await startScriptedServer(() => ({ headers: google, body: "a.b.c" }));
    const headers = { location: `http://localhost:${stranger.port}/` };
    const { search } = await open({ [base]: { status: 302, headers } });
    expect(await googleMachineToken(search)).toBeUndefined();
    expect(stranger.requests).toEqual([]);
  });
});

describe("a service account that is impersonated", () => {
  const account = "signer@project.iam.gserviceaccount.com";
  const path = `/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateIdToken`;
  const access = (value: string) => ({ body: JSON.stringify({ access_token: value }) });

  async function impersonate(more: Readonly<Record<string, ScriptedAnswer>> = {}) {
    const { token } = openSearch({});
    const bench = await open({ [path]: { body: JSON.stringify({ token }) }, ...more });
    const env = { ...bench.search.env, GOOGLE_SERVICE_ACCOUNT_NAME: account };
    const search = { ...bench.search, env };
    const adc = join(bench.home, ".config", "gcloud", "application_default_credentials.json");
    const login = async (credentials: object | string) => {
      await mkdir(join(bench.home, ".config", "gcloud"), { recursive: true });
      const text = typeof credentials === "string" ? credentials : JSON.stringify(credentials);
      await writeFile(adc, text);
    };
    return { ...bench, search, token, login };
  }

  function expectToken({ server, token }: Awaited<ReturnType<typeof impersonate>>, text?: string) {
    expect(text).toBe(token);
    const { headers, body } = server.requests.at(-1) ?? {};
    expect(headers).toMatchObject({ authorization: "Bearer the-access-token" });
    expect(JSON.parse(String(body))).toEqual({ audience: "sigstore", includeEmail: true });
  }

  test("gives a token to the user who is logged in with gcloud", async () => {
    const bench = await impersonate({ "/oauth": access("the-access-token") });
    const user = { client_id: "id", client_secret: "client-secret", refresh_token: "a-refresh" };
    await bench.login({ type: "authorized_user", ...user, token_uri: bench.tokenUrl });
    expectToken(bench, (await impersonatedToken(bench.search, bench.credentialsUrl)).text);
    const form = new URLSearchParams(String(bench.server.requests[0]?.body));
    expect(Object.fromEntries(form)).toEqual({ grant_type: "refresh_token", ...user });
    expect(bench.secrets).toEqual(
      expect.arrayContaining(["client-secret", "a-refresh", "the-access-token"]),
    );
  });

  test("gives a token for the key of another service account", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const bench = await impersonate({ "/oauth": access("the-access-token") });
    const file = join(bench.home, "key.json");
    const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
    const key = { type: "service_account", client_email: "robot@p", private_key: pem };
    await writeFile(file, JSON.stringify({ ...key, token_uri: bench.tokenUrl }));
    const env = { ...bench.search.env, GOOGLE_APPLICATION_CREDENTIALS: file };
    const { text } = await impersonatedToken({ ...bench.search, env }, bench.credentialsUrl);
    expectToken(bench, text);
    const form = new URLSearchParams(String(bench.server.requests[0]?.body));
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [header = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify("sha256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
    const iat = Math.floor(bench.clock.now() / 1000);
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
      iss: "robot@p",
      aud: bench.tokenUrl,
      iat,
      exp: iat + 3600,
      scope: "https://www.googleapis.com/auth/cloud-platform",
    });
  });

  test("gives a token to the machine's service account", async () => {
    const bench = await impersonate({
      [`${base}token`]: { headers: google, ...access("the-access-token") },
    });
    expectToken(bench, (await impersonatedToken(bench.search, bench.credentialsUrl)).text);
  });

  test("reports that no user is logged in, or credentials that cannot impersonate", async () => {
    const { search: bare, credentialsUrl, login } = await impersonate();
    const search = { ...bare, env: { ...bare.env, METADATA_SERVER_DETECTION: "none" } };
    const said = async () => (await failureOf(impersonatedToken(search, credentialsUrl))).message;
    expect(await said()).toMatch(/no Google credentials .* gcloud auth application-default login/);
    await login({ type: "external_account" });
    expect(await said()).toMatch(/has no audience and no subject_token_type/);
    await login("secret");
    expect(await said()).toMatch(/does not contain a JSON object/);
    await login({ type: "authorized_user", client_id: "x" });
    expect(await said()).toMatch(/has no client_secret and no refresh_token/);
    await login({ type: "service_account", client_email: "x", private_key: "secret" });
    expect(await said()).toMatch(/private_key in the gcloud login .* is not a usable RSA key/);
    const file = join(await temporaryFolder(), "key.json");
    const env = { ...search.env, GOOGLE_APPLICATION_CREDENTIALS: file };
    const missing = await failureOf(impersonatedToken({ ...search, env }, credentialsUrl));
    expect(missing.message).toMatch(/GOOGLE_APPLICATION_CREDENTIALS: the file .* does not exist/);
  });

  test("reports Google's answer without the secrets in it", async () => {
    const secrets = ["client-secret", "a-refresh"];
    const [client_secret, refresh_token] = secrets;
    const { search, credentialsUrl, login, logged, tokenUrl } = await impersonate({
      "/oauth": { status: 400, body: `bad a-refresh of client-secret` },
    });
    const user = { client_id: "id", client_secret, refresh_token };
    await login({ type: "authorized_user", ...user, token_uri: tokenUrl });
    const failure = await failureOf(impersonatedToken(search, credentialsUrl));
    expect(failure.message).toContain(
      `: the token endpoint ${tokenUrl} responded with HTTP status 400: "bad *** of ***"`,
    );
    for (const secret of secrets) expect(textsOf(failure) + logged.join()).not.toContain(secret);
  });

  test("has a name that cannot lead to another call", async () => {
    const { search, credentialsUrl } = await impersonate();
    const env = { ...search.env, GOOGLE_SERVICE_ACCOUNT_NAME: "../../v1/x" };
    const failure = await failureOf(impersonatedToken({ ...search, env }, credentialsUrl));
    expect(failure.message).toMatch(/^GOOGLE_SERVICE_ACCOUNT_NAME must be/);
  });
});
