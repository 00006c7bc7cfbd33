import { randomUUID } from "node:crypto";
import { type PrivateState, UNKNOWN, type Unknown } from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import type { Workspace } from "../provider/configure";

/** Key in the private state: the last build that stopped the workspace and created a new token. */
const rotatedIn = "token rotated in build";

/**
 * Checks whether a build replaces the token. A running machine must keep its token. A stopped one gets a new
 * token for its next start.
 */
const rotates = ({ isRealBuild, transition }: BuildEnvironment): boolean =>
  isRealBuild && transition === "stop";

interface TokenHolder {
  readonly agentId: string | null;
  readonly token: string | null;
}

/**
 * Returns the planned token, if it differs from the one in the state.
 *
 * A build that stops the workspace plans a new token, once. Every other build uses the token of the agent's
 * running machine, in case the state has lost it.
 *
 * @param prior undefined when the agent is being created
 */
export function planToken(
  prior: TokenHolder | undefined,
  environment: BuildEnvironment,
  privateState: PrivateState,
): { readonly token?: string | Unknown } {
  if (rotates(environment)) {
    const isDone = privateState.get(rotatedIn) === environment.buildId;
    // Create generates a token anyway.
    privateState.set(rotatedIn, environment.buildId);
    return prior === undefined || isDone ? {} : { token: UNKNOWN };
  }
  const agentId = prior?.agentId ?? "";
  // The platform stores the token of a sole agent under the empty string instead of its ID.
  const running = agentId === "" ? undefined : environment.runningAgentToken(agentId);
  return running === undefined || running === prior?.token ? {} : { token: running };
}

export function firstToken({ environment, takeSoleRunningToken }: Workspace): string {
  return (rotates(environment) ? undefined : takeSoleRunningToken()) ?? newToken();
}

/** Creates a token: the platform stores UUIDs, here with 122 random bits from a cryptographic source. */
export const newToken = (): string => randomUUID();
