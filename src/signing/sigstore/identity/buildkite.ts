import { ServiceError } from "../service/call-service";
import { type IdentityToken, readIdentityToken } from "./identity-token";
import {
  audience,
  requestToken,
  secretServiceUrl,
  type TokenSearch,
  variable,
} from "./token-request";

const service = "Buildkite's agent API";
const defaultEndpoint = "https://agent.buildkite.com/v3";

/**
 * Requests an identity token for a Buildkite job from the agent API, as `buildkite-agent oidc request-token`
 * does.
 *
 * @throws ServiceError
 * @see https://buildkite.com/docs/agent/v3/cli-oidc
 */
export async function buildkiteToken(search: TokenSearch): Promise<IdentityToken> {
  const { env } = search;
  const access = variable(env, "BUILDKITE_AGENT_ACCESS_TOKEN") ?? "";
  const job = variable(env, "BUILDKITE_JOB_ID");
  if (job === undefined) {
    const problem = "BUILDKITE_AGENT_ACCESS_TOKEN is set, but BUILDKITE_JOB_ID is not";
    throw new ServiceError("IDENTITY", `${problem}: Buildkite issues tokens only for jobs.`);
  }
  const url = secretServiceUrl(
    variable(env, "BUILDKITE_AGENT_ENDPOINT") ?? defaultEndpoint,
    "BUILDKITE_AGENT_ENDPOINT",
  );
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/jobs/${encodeURIComponent(job)}/oidc/tokens`;
  const text = await requestToken(search, {
    service,
    method: "POST",
    url,
    member: "token",
    secrets: [access],
    headers: {
      authorization: `Token ${access}`,
      accept: "application/json",
      "content-type": "application/json",
    },
    body: JSON.stringify({ audience }),
  });
  return readIdentityToken(text, service);
}
