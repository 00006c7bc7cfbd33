import type { CallContext } from "../../../http/call-context";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { FileProblem, readSmallFile } from "../../../process/small-file";
import { serviceUrl } from "../../../schema";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { callService, refused, ServiceError } from "../service/call-service";
import { type IdentityToken, readIdentityToken } from "./identity-token";

/** Everything that a source of identity tokens needs to find one. */
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

/** A request whose response is a JSON object with a token. */
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

/** Requests a token from a service. */
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
  throw new ServiceError("IDENTITY", `${service} did not return a token.`);
}

/**
 * Parses the URL of a service to which a secret is sent: https, or http on this machine.
 *
 * @param name where the URL comes from, for the message
 */
export function secretServiceUrl(text: string, name: string): URL {
  const [base = ""] = text.split(/[?#]/);
  if (serviceUrl.test(base) && URL.canParse(text)) return new URL(text);
  const problem = "must be an https URL, or an http URL of this machine";
  throw new ServiceError("IDENTITY", `${name} ${problem}: a credential is sent there.`);
}

function memberOf(body: Buffer, member: string): string | undefined {
  try {
    return JsonFields.of(parseJson(body), "the response").optionalString(member);
  } catch {
    return undefined;
  }
}

/**
 * Reads a small regular file with a token; undefined if it does not exist.
 *
 * @param content the content of the file, for messages
 */
export async function readTokenFile(path: string, content: string): Promise<string | undefined> {
  try {
    return await readSmallFile(path, tokenLimits.maxBytes);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const message = `Cannot use ${content} in ${path}: ${error.message}.`;
    throw new ServiceError("IDENTITY", message, error.cause);
  }
}
