import { type IdentityToken, readIdentityToken } from "./identity-token";
import { audience, requestToken, secretServiceUrl, type TokenSearch } from "./token-request";

const service = "GitHub Actions";

/**
 * Requests an identity token from GitHub Actions, in a job with the permission `id-token: write`.
 *
 * @throws ServiceError
 * @see https://docs.github.com/en/actions/reference/security/oidc
 */
export async function githubActionsToken(search: TokenSearch): Promise<IdentityToken> {
  const { env } = search;
  const bearer = env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] ?? "";
  const name = "ACTIONS_ID_TOKEN_REQUEST_URL";
  const url = secretServiceUrl(env[name] ?? "", name);
  url.searchParams.set("audience", audience);
  const text = await requestToken(search, {
    service,
    method: "GET",
    url,
    member: "value",
    secrets: [bearer],
    headers: { authorization: `Bearer ${bearer}`, accept: "application/json" },
  });
  return readIdentityToken(text, service);
}
