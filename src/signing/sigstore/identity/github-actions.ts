import type { IdentityToken } from "./identity-token";
import { audience, requestToken, secretServiceUrl, type TokenSearch } from "./token-request";

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
