import { randomUUID } from "node:crypto";
import { type PrivateState, UNKNOWN, type Unknown } from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import type { Workspace } from "../provider/configure";

/** The private state remembers the last build that stopped the workspace and made a token for it. */
const rotatedIn = "token rotated in build";

/** A running machine must keep its token; one that is stopped gets another for its next start. */
const rotates = ({ isRealBuild, transition }: BuildEnvironment): boolean =>
  isRealBuild && transition === "stop";

/** The part of an agent's state that its token hangs on. */
export interface TokenHolder {
  readonly agentId: string | null;
  readonly token: string | null;
}

/**
 * The token that is planned, where it is another than the state's.
 *
 * A build that stops the workspace makes a new one, once. In every other build the token with which the
 * agent's machine runs is right, should the state have lost it.
 *
 * @param prior undefined while the agent is created
 */
export function planToken(
  prior: TokenHolder | undefined,
  environment: BuildEnvironment,
  privateState: PrivateState,
): { readonly token?: string | Unknown } {
  if (rotates(environment)) {
    const isDone = privateState.get(rotatedIn) === environment.buildId;
    // A creation makes a token anyway.
    privateState.set(rotatedIn, environment.buildId);
    return prior === undefined || isDone ? {} : { token: UNKNOWN };
  }
  const agentId = prior?.agentId ?? "";
  // Under the empty text stands the token of an agent that is not named.
  const running = agentId === "" ? undefined : environment.runningAgentToken(agentId);
  return running === undefined || running === prior?.token ? {} : { token: running };
}

/** The token of an agent that is created. */
export function firstToken({ environment, takeSoleRunningToken }: Workspace): string {
  return (rotates(environment) ? undefined : takeSoleRunningToken()) ?? newToken();
}

/** The platform keeps tokens as UUIDs; their 122 random bits come from a cryptographic source. */
export const newToken = (): string => randomUUID();
