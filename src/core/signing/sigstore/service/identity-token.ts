import type { CallContext } from "../../../http/call-context";
import { JsonFields, parseJson } from "../../../json/parse-json";
import { isJsonObject, type JsonObject } from "../../../json/plain-json";
import { readSmallFile, isFileProblem } from "../../../process/files";
import { serviceUrl } from "../../../schema";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { callService, refused, type ServiceError, serviceError } from "./call-service";

/** An OpenID Connect token of the signer. */
export interface IdentityToken {
  /** The encoded token: a secret. */
  readonly text: string;
  /** The email address, or the subject without one. The signer signs it as proof of possession. */
  readonly subject: string;
  /** The name that the certificate must contain. For tokens without it, the authority derives a name. */
  readonly email?: string | undefined;
  readonly expiresAt: Date;
}

/** Finds the signer's identity token; undefined without one. */
export type IdentitySource = (context: CallContext) => Promise<IdentityToken | undefined>;

/**
 * Reads the claims of a token. Its signature is verified by the certificate authority.
 *
 * @param source where the token comes from, for messages
 * @throws ServiceError `IDENTITY`; the message quotes nothing of the token
 * @see https://www.rfc-editor.org/rfc/rfc7519
 */
export function readIdentityToken(text: string, source: string): IdentityToken {
  const trimmed = text.trim();
  const claims = claimsOf(trimmed);
  if (claims === undefined) throw unusable(source, "is not a JSON Web Token");
  const { email, sub, exp } = claims;
  const address = typeof email === "string" && email !== "" ? email : undefined;
  const subject = address ?? sub;
  if (typeof subject !== "string" || subject === "") {
    throw unusable(source, "has neither an email address nor a subject");
  }
  if (typeof exp !== "number") throw unusable(source, "has no expiry time (exp)");
  return { text: trimmed, subject, email: address, expiresAt: new Date(exp * 1000) };
}

function claimsOf(text: string): JsonObject | undefined {
  const [, payload, signature, ...more] = text.split(".");
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const claims = parseJson(Buffer.from(payload, "base64url"));
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

const unusable = (source: string, problem: string): ServiceError =>
  serviceError("IDENTITY", `The identity token from ${source} ${problem}. Get a new one.`);

export interface TokenSearch extends CloudSettings {
  readonly context: CallContext;
  readonly now: () => number;
}

/** The value of an environment variable; undefined if it is not set or empty. */
export function variable(env: TokenSearch["env"], name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

/** The audience of tokens for signing. */
export const audience = "sigstore";

/** Limits of requests for tokens. Real tokens have a few kilobytes. */
export const tokenLimits = { maxBytes: 65_536, attemptMs: 10_000 } as const;

interface TokenRequest {
  /** The service's name at the start of messages. */
  readonly service: string;
  readonly url: URL;
  /** The secret that is sent, which no message may repeat, after the name of its scheme. */
  readonly authorization: readonly [scheme: "Bearer" | "Token", secret: string];
  /** With a body, it is a POST request. */
  readonly body?: object;
  /** The member of the response that contains the token. */
  readonly member: string;
}

export async function requestToken(
  { http, context, redact }: TokenSearch,
  { service, url, authorization, body, member }: TokenRequest,
): Promise<IdentityToken> {
  const [, secret] = authorization;
  const secrets = [secret];
  redact(secret);
  const answer = await callService({
    http,
    service,
    context,
    secrets,
    url,
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: authorization.join(" "),
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
    },
    body: body && JSON.stringify(body),
    limits: tokenLimits,
  });
  if (answer.status !== 200) throw refused("IDENTITY", service, answer, secrets);
  const token = memberOf(answer.body, member);
  if (token !== undefined && token !== "") return readIdentityToken(token, service);
  throw serviceError("IDENTITY", `${service} did not return a token.`);
}

/**
 * Parses the URL of a service to which a secret is sent: https, or http on this machine.
 *
 * @param name where the URL comes from, for the message
 */
function secretServiceUrl(text: string, name: string): URL {
  const [base = ""] = text.split(/[?#]/);
  if (serviceUrl.test(base) && URL.canParse(text)) return new URL(text);
  const problem = "must be an https URL, or an http URL of this machine";
  throw serviceError("IDENTITY", `${name} ${problem}: a credential is sent there.`);
}

function memberOf(body: Buffer, member: string): string | undefined {
  try {
    return JsonFields.of(parseJson(body), "the response").optionalString(member);
  } catch {
    return undefined;
  }
}

/** Reads a small regular file; undefined if it does not exist. @param content the content of the file, for messages */
export async function readTokenFile(path: string, content: string): Promise<string | undefined> {
  try {
    return await readSmallFile(path, tokenLimits.maxBytes);
  } catch (error) {
    if (!isFileProblem(error)) throw error;
    const message = `Cannot use ${content} in ${path}: ${error.message}.`;
    throw serviceError("IDENTITY", message, { cause: error.cause });
  }
}

/**
 * Requests an identity token from GitHub Actions, in a job with the permission `id-token: write`.
 *
 * @see https://docs.github.com/en/actions/reference/security/oidc
 */
export async function githubActionsToken(search: TokenSearch): Promise<IdentityToken> {
  const { env } = search;
  const name = "ACTIONS_ID_TOKEN_REQUEST_URL";
  const url = secretServiceUrl(env[name] ?? "", name);
  url.searchParams.set("audience", audience);
  return requestToken(search, {
    service: "GitHub Actions",
    url,
    authorization: ["Bearer", env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] ?? ""],
    member: "value",
  });
}

const defaultEndpoint = "https://agent.buildkite.com/v3";

/**
 * Requests an identity token for a Buildkite job from the agent API, as `buildkite-agent oidc request-token`
 * does.
 *
 * @see https://buildkite.com/docs/agent/v3/cli-oidc
 */
export async function buildkiteToken(search: TokenSearch): Promise<IdentityToken> {
  const { env } = search;
  const job = variable(env, "BUILDKITE_JOB_ID");
  if (job === undefined) {
    const problem = "BUILDKITE_AGENT_ACCESS_TOKEN is set, but BUILDKITE_JOB_ID is not";
    throw serviceError("IDENTITY", `${problem}: Buildkite issues tokens only for jobs.`);
  }
  const name = "BUILDKITE_AGENT_ENDPOINT";
  const url = secretServiceUrl(variable(env, name) ?? defaultEndpoint, name);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/jobs/${encodeURIComponent(job)}/oidc/tokens`;
  return requestToken(search, {
    service: "Buildkite's agent API",
    url,
    authorization: ["Token", variable(env, "BUILDKITE_AGENT_ACCESS_TOKEN") ?? ""],
    body: { audience },
    member: "token",
  });
}
