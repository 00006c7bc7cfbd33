import { UNKNOWN } from "../../provider-kit";
import { knownAccessUrl, type Workspace } from "../provider/configure";

/** The settings that an agent's init script depends on. */
export interface ScriptTarget {
  readonly os: string;
  readonly arch: string;
  readonly auth: string;
}

/**
 * Returns the script that starts an agent: the platform's script with its two placeholders replaced.
 *
 * @returns undefined if the platform provides no script, for example outside a build
 */
export function initScript(target: ScriptTarget, workspace: Workspace): string | undefined {
  const script = workspace.environment.agentScript(target.os, target.arch);
  if (script?.includes(urlPlaceholder) !== true) return script?.replaceAll(...filled(target));
  const { root } = knownAccessUrl(workspace);
  return script.replaceAll(urlPlaceholder, () => root).replaceAll(...filled(target));
}

/**
 * Like {@link initScript}, for an existing agent. Returns undefined (keep its script) if the URL is not known
 * yet.
 */
export function refreshedScript(target: ScriptTarget, workspace: Workspace): string | undefined {
  return workspace.accessUrl === UNKNOWN ? undefined : initScript(target, workspace);
}

const urlPlaceholder = "${ACCESS_URL}";

const filled = ({ auth }: ScriptTarget) => ["${AUTH_TYPE}", () => auth] as const;
