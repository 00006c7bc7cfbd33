import { implement, known, type PlanOf, UNKNOWN } from "../../provider-kit";
import { agent } from "./declare";
import { firstToken, newToken, planToken } from "./token";
import { type Workspace, knownAccessUrl } from "../provider/configure";
import { idOf } from "../provider/identity";

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
