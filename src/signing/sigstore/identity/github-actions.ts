import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { isJsonObject } from "../../../json/json-value";
import { parseJson } from "../../../json/parse-json";
import { callService, refused } from "../service/call-service";
import { ServiceError } from "../service/service-error";
import { type IdentityToken, readIdentityToken } from "./identity-token";

const service = "GitHub Actions";

/**
 * Requests an identity token from GitHub Actions; undefined outside of a job with the permission
 * `id-token: write`.
 *
 * @throws ServiceError
 * @see https://docs.github.com/en/actions/reference/security/oidc
 */
export async function githubActionsToken({
  env,
  http,
  context,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly http: HttpClient;
  readonly context: CallContext;
}): Promise<IdentityToken | undefined> {
  const requestUrl = env["ACTIONS_ID_TOKEN_REQUEST_URL"] ?? "";
  const bearer = env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] ?? "";
  if (requestUrl === "" || bearer === "") return undefined;
  if (!URL.canParse(requestUrl)) {
    throw new ServiceError("IDENTITY", "ACTIONS_ID_TOKEN_REQUEST_URL is not a URL.");
  }
  const url = new URL(requestUrl);
  url.searchParams.set("audience", "sigstore");
  const headers = { authorization: `Bearer ${bearer}`, accept: "application/json" };
  const answer = await callService({ http, service, method: "GET", url, headers, context });
  if (answer.status !== 200) throw refused("IDENTITY", service, answer, [bearer]);
  const value = tokenIn(answer.body);
  if (value === undefined) {
    throw new ServiceError("IDENTITY", `${service} did not return a token.`);
  }
  return readIdentityToken(value, service);
}

function tokenIn(body: Buffer): string | undefined {
  try {
    const parsed = parseJson(body);
    const value = isJsonObject(parsed) ? parsed["value"] : undefined;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
