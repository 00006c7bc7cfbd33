import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient, lazyTransport } from "../../../src/core/http/client";
import { requestAccessToken } from "../../../src/core/google/access-token";
import { type GoogleError, isGoogleError } from "../../../src/core/google/google-error";
import { parseCredentials } from "../../../src/core/google/parse-credentials";
import type { TokenServices } from "../../../src/core/google/token-request";
import { closeAfterTest } from "../http/close-after-test";
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  startScriptedServer,
} from "../http/scripted-server";
import { VirtualClock } from "../http/virtual-clock";

export const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

export const audience =
  "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/oidc";

/** Paths of the double: each answers like the service of that name. */
export const paths = {
  oauth: "/token",
  sts: "/v1/token",
  workforce: "/v1/oauthtoken",
  iam: "/v1/projects/-/serviceAccounts/",
  metadata: "/computeMetadata/v1/",
  subject: "/subject",
} as const;

const flavour = { "metadata-flavor": "Google" };

const ok = (value: unknown, headers = {}): ScriptedAnswer => ({
  headers: { "content-type": "application/json", ...headers },
  body: typeof value === "string" ? value : JSON.stringify(value),
});

/** All of Google's token services on one server of this machine. Every request is recorded. */
export async function startGoogle(env: Readonly<Record<string, string>> = {}) {
  const clock = new VirtualClock();
  const answers: Record<string, (request: ScriptedRequest) => ScriptedAnswer | undefined> = {
    [paths.metadata]: ({ url }) =>
      url.includes("/project-id")
        ? ok("machine-project", flavour)
        : ok({ access_token: "machine-token", expires_in: 3599, token_type: "Bearer" }, flavour),
    [paths.iam]: () => ({
      ...ok({ accessToken: "impersonated-token", expireTime: "2100-01-01T00:00:00Z" }),
    }),
    [paths.oauth]: () => ok({ access_token: "oauth-token", expires_in: 3599 }),
    [paths.sts]: () => ok({ access_token: "federated-token", expires_in: 3599 }),
    [paths.workforce]: () => ok({ access_token: "workforce-token", expires_in: 3599 }),
    [paths.subject]: () => ok("subject-token\n"),
  };
  const server = await startScriptedServer((request, _, response) => {
    const found = Object.entries(answers).find(([path]) => request.url.startsWith(path));
    const answer = found === undefined ? { status: 404 } : found[1](request);
    if (answer === undefined) response.socket?.resume();
    return answer;
  });
  const redacted: string[] = [];
  const transport = lazyTransport();
  closeAfterTest(() => transport.close());
  const home = mkdtempSync(join(tmpdir(), "trivet-google-"));
  closeAfterTest(() => rmSync(home, { recursive: true }));
  const services: TokenServices = {
    http: createHttpClient({ transport, clock }),
    context: { signal: new AbortController().signal, deadline: clock.now() + 600_000 },
    env: { HOME: home, ...env },
    now: () => clock.now(),
    redact: (secret) => redacted.push(secret),
    trusted: { areLocal: true },
  };
  const { origin, requests, port } = server;
  return {
    origin,
    port,
    requests,
    services,
    redacted,
    clock,
    answers,
    home,
    /** Writes a file, and returns its path. */
    file(name: string, content: unknown): string {
      const path = join(home, name);
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
      return path;
    },
    /** Gets a token with the JSON of credentials. */
    token: async (json: object) =>
      (
        await requestAccessToken(
          services,
          parseCredentials(JSON.stringify(json), "KEY", services.trusted),
        )
      ).token,
    /** Credentials of every type, whose services are this server. */
    credentials: {
      serviceAccount: {
        type: "service_account",
        project_id: "key-project",
        client_email: "robot@p.iam.gserviceaccount.com",
        private_key: privateKey,
        private_key_id: "key-1",
        token_uri: `${origin}${paths.oauth}`,
      },
      user: {
        type: "authorized_user",
        client_id: "client",
        client_secret: "secret-client",
        refresh_token: "secret-refresh",
        quota_project_id: "quota-project",
        token_uri: `${origin}${paths.oauth}`,
      },
      workforceUser: {
        type: "external_account_authorized_user",
        client_id: "client",
        client_secret: "secret-client",
        refresh_token: "secret-refresh",
        token_url: `${origin}${paths.workforce}`,
      },
      external: {
        type: "external_account",
        audience,
        subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
        token_url: `${origin}${paths.sts}`,
        credential_source: { url: `${origin}${paths.subject}` },
      },
    },
    impersonationUrl: (account: string) => `${origin}${paths.iam}${account}:generateAccessToken`,
  };
}

/** The error with which a call fails. */
export async function googleErrorOf(call: Promise<unknown>): Promise<GoogleError> {
  try {
    await call;
  } catch (error) {
    if (isGoogleError(error)) return error;
    throw error;
  }
  throw new Error("the call did not fail");
}

/** The form in a request. */
export const formOf = ({ body }: { readonly body: Buffer }): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body.toString()));
