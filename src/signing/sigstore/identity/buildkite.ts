import { ServiceError } from "../service/call-service";
import type { IdentityToken } from "./identity-token";
import {
  audience,
  requestToken,
  secretServiceUrl,
  type TokenSearch,
  variable,
} from "./token-request";

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
    throw new ServiceError("IDENTITY", `${problem}: Buildkite issues tokens only for jobs.`);
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
