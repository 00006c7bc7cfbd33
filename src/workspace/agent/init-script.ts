import { UNKNOWN } from "../../provider-kit";
import { knownAccessUrl, type Workspace } from "../provider/configure";

/** What the script of an agent depends on. */
export interface ScriptTarget {
  readonly os: string;
  readonly arch: string;
  readonly auth: string;
}

/**
 * The script that starts an agent, as the platform gives it, with its two placeholders filled in.
 *
 * @returns undefined when the platform gives none, as while it is not there
 */
export function initScript(target: ScriptTarget, workspace: Workspace): string | undefined {
  const script = workspace.environment.agentScript(target.os, target.arch);
  if (script?.includes(urlPlaceholder) !== true) return script?.replaceAll(...filled(target));
  const { root } = knownAccessUrl(workspace);
  return script.replaceAll(urlPlaceholder, () => root).replaceAll(...filled(target));
}

/** As {@link initScript}, for an agent that exists: what cannot be filled in now leaves its script. */
export function refreshedScript(target: ScriptTarget, workspace: Workspace): string | undefined {
  return workspace.accessUrl === UNKNOWN ? undefined : initScript(target, workspace);
}

const urlPlaceholder = "${ACCESS_URL}";

const filled = ({ auth }: ScriptTarget) => ["${AUTH_TYPE}", () => auth] as const;
