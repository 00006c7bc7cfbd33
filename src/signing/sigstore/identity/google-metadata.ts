import { noRetry } from "../../../http/retry-policy";
import { callService, refused } from "../service/call-service";
import { ServiceError } from "../service/service-error";
import { type IdentityToken, readIdentityToken } from "./identity-token";
import { audience, tokenLimits, type TokenSearch, variable } from "./token-request";
import type { HttpAnswer } from "../../../http/client";

const service = "Google's metadata server";

// The server is on the same machine: one that does not respond at once does not exist.
const attemptMs = 3_000;

/**
 * Requests an identity token of the machine's service account from Google's metadata server; undefined if
 * there is no such server or no service account.
 *
 * @throws ServiceError
 * @see https://cloud.google.com/compute/docs/instances/verifying-instance-identity
 */
export async function googleMachineToken(search: TokenSearch): Promise<IdentityToken | undefined> {
  const answer = await askMetadata(search, `identity?audience=${audience}&format=full`);
  return answer && readIdentityToken(answer.body.toString("utf8"), service);
}

/**
 * Reads a value of the machine's default service account; undefined if there is no metadata server or no
 * service account.
 *
 * @throws ServiceError
 */
export async function askMetadata(
  { env, http, context }: TokenSearch,
  path: string,
): Promise<HttpAnswer | undefined> {
  const host = variable(env, "GCE_METADATA_HOST") ?? "169.254.169.254";
  const text = `http://${host}/computeMetadata/v1/instance/service-accounts/default/${path}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(text)) {
    throw new ServiceError("IDENTITY", "GCE_METADATA_HOST must be a host, with a port if needed.");
  }
  const url = new URL(text);
  const headers = { "metadata-flavor": "Google" };
  const limits = { ...tokenLimits, attemptMs };
  const request = { http, service, method: "GET", url, headers, context, limits } as const;
  try {
    const answer = await callService({ ...request, retry: noRetry });
    if (answer.status === 404 || answer.headers["metadata-flavor"] !== "Google") return undefined;
    if (answer.status === 200) return answer;
    throw refused("IDENTITY", service, answer);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "TRANSPORT") return undefined;
    throw error;
  }
}
