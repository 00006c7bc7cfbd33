import { randomUUID } from "node:crypto";
import {
  implement,
  known,
  type PlanOf,
  type PrivateState,
  UNKNOWN,
  type Unknown,
} from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import { knownAccessUrl, type Workspace, idOf } from "../provider/configure";
import { agent } from "./declare";

/** Handlers of `workspace_agent`. An agent exists only in the state, where the platform reads it. */
export const agentHandlers = implement(agent)<Workspace>({
  plan({ config, prior }, { client, privateState, log }) {
    const { environment } = client;
    const decided = planToken(prior, environment, privateState);
    if (typeof decided.token === "string") log.redact(decided.token);
    // The platform reads the block itself and applies no defaults when it is missing.
    const isAbsent = config.displayApps !== UNKNOWN && config.displayApps.length === 0;
    return { ...decided, ...(isAbsent && { displayApps: [displayAppsByDefault] }) };
  },

  create(plan, { client, log }) {
    const token = firstToken(client);
    log.redact(token);
    return Promise.resolve(
      known({
        ...plan,
        agentId: idOf(plan.agentId),
        token,
        initScript: initScript(scriptTarget(plan), client) ?? "",
      }),
    );
  },

  // The machine gets whatever is read: a new token here would disconnect a running machine.
  read(state, { client }) {
    const script = refreshedScript(scriptTarget(state), client);
    return Promise.resolve(script === undefined ? state : { ...state, initScript: script });
  },

  update(plan, state, { log }) {
    const token = plan.token === UNKNOWN ? newToken() : plan.token;
    if (token !== null) log.redact(token);
    const { agentId, initScript: script } = state;
    return Promise.resolve(known({ ...plan, agentId, token, initScript: script }));
  },

  delete: () => Promise.resolve(),
});

/** The values of an empty block. A test compares them with the declared defaults. */
const displayAppsByDefault = {
  editor: true,
  editorInsiders: false,
  webTerminal: true,
  sshHelper: true,
  portForwardingHelper: true,
};

const scriptTarget = ({
  os,
  arch,
  auth,
}: Pick<PlanOf<typeof agent>, "os" | "arch" | "auth">): ScriptTarget => ({
  os,
  arch,
  auth: typeof auth === "string" ? auth : "token",
});

interface ScriptTarget {
  readonly os: string;
  readonly arch: string;
  readonly auth: string;
}

/**
 * Returns the script that starts an agent: the platform's script with its two placeholders replaced.
 *
 * @returns undefined if the platform provides no script, for example outside a build
 */
function initScript(target: ScriptTarget, workspace: Workspace): string | undefined {
  const script = workspace.environment.agentScript(target.os, target.arch);
  if (script?.includes(urlPlaceholder) !== true) return script?.replaceAll(...filled(target));
  const { root } = knownAccessUrl(workspace);
  return script.replaceAll(urlPlaceholder, () => root).replaceAll(...filled(target));
}

/**
 * Like {@link initScript}, for an existing agent. Returns undefined (keep its script) if the URL is not known
 * yet.
 */
function refreshedScript(target: ScriptTarget, workspace: Workspace): string | undefined {
  return workspace.accessUrl === UNKNOWN ? undefined : initScript(target, workspace);
}

const urlPlaceholder = "${ACCESS_URL}";

const filled = ({ auth }: ScriptTarget) => ["${AUTH_TYPE}", () => auth] as const;

/** Key in the private state: the last build that stopped the workspace and created a new token. */
const rotatedIn = "token rotated in build";

/**
 * Checks whether a build replaces the token. A running machine must keep its token. A stopped one gets a new
 * token for its next start.
 */
const rotates = ({ isRealBuild, transition }: BuildEnvironment): boolean =>
  isRealBuild && transition === "stop";

/**
 * Returns the planned token, if it differs from the one in the state.
 *
 * A build that stops the workspace plans a new token, once. Every other build uses the token of the agent's
 * running machine, in case the state has lost it.
 *
 * @param prior undefined when the agent is being created
 */
function planToken(
  prior: { readonly agentId: string | null; readonly token: string | null } | undefined,
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

function firstToken({ environment, takeSoleRunningToken }: Workspace): string {
  return (rotates(environment) ? undefined : takeSoleRunningToken()) ?? newToken();
}

/** Creates a token: the platform stores UUIDs, here with 122 random bits from a cryptographic source. */
const newToken = (): string => randomUUID();
