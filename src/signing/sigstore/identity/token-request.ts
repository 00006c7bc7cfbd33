import type { CallContext } from "../../../http/call-context";
import type { ServiceCall } from "../../../http/service-call";
import { isJsonObject } from "../../../json/json-value";
import { parseJson } from "../../../json/parse-json";
import { serviceUrl } from "../../../schema";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { callService, refused, ServiceError } from "../service/call-service";
import { FileProblem, readSmallFile } from "../../../process/small-file";

/** What a source of identity tokens needs to find one. */
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
interface TokenRequest extends Omit<ServiceCall, "http" | "context" | "limits" | "retry"> {
  /** The member that contains the token. */
  readonly member: string;
  /** What the request contains and no message may repeat. */
  readonly secrets: readonly string[];
}

/**
 * Requests a token from a service.
 *
 * @throws ServiceError
 */
export async function requestToken(
  { http, context, redact }: TokenSearch,
  { member, secrets, service, ...request }: TokenRequest,
): Promise<string> {
  for (const secret of secrets) redact(secret);
  const answer = await callService({
    ...request,
    http,
    service,
    context,
    secrets,
    limits: tokenLimits,
  });
  if (answer.status !== 200) throw refused("IDENTITY", service, answer, secrets);
  const token = memberOf(answer.body, member);
  if (token !== undefined && token !== "") return token;
  throw new ServiceError("IDENTITY", `${service} did not return a token.`);
}

/**
 * Parses the URL of a service to which a secret is sent: https, or http on this machine.
 *
 * @param name where the URL comes from, for the message
 * @throws ServiceError
 */
export function secretServiceUrl(text: string, name: string): URL {
  const [base = ""] = text.split(/[?#]/);
  if (serviceUrl.test(base) && URL.canParse(text)) return new URL(text);
  const problem = "must be an https URL, or an http URL of this machine";
  throw new ServiceError("IDENTITY", `${name} ${problem}: a credential is sent there.`);
}

function memberOf(body: Buffer, member: string): string | undefined {
  try {
    const parsed = parseJson(body);
    const value = isJsonObject(parsed) ? parsed[member] : undefined;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a small regular file with a token; undefined if it does not exist.
 *
 * @param content what the file contains, for messages
 * @throws ServiceError
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
