import { join } from "node:path";
import { root } from "./build";
import { type Ended, type Started, startCommand } from "./command";
import { installation } from "./installation";
import type { Workspace } from "./workspace";

/** How a script runs. */
interface ScriptOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the providers are kept warm. @default true */
  readonly isWarm?: boolean;
}

/**
 * In a script, prints a line `warm:PID` for each warm provider of the workspace. The script itself must not look like a
 * provider.
 */
const printWarm = `warm() {
  ps axeww -o pid=,args= | grep "HOME=$HOME" | grep -E '(\\.cjs|_v[^ ]*) [-]-warm ' |
    while read -r pid rest; do echo "warm:$pid"; done
}
`;

/** Starts a shell script in a workspace with `trivet exec --warm`. It can call `warm`. */
export function startScript(
  workspace: Workspace,
  script: string,
  { env = {}, isWarm = true }: ScriptOptions = {},
): Started {
  const trivet = join(root, "dist", "src", "cli", "main.js");
  const exec = ["exec", "--dir", installation().mirror, ...(isWarm ? ["--warm"] : []), "--"];
  return startCommand(process.execPath, [trivet, ...exec, "sh", "-c", `${printWarm}${script}`], {
    cwd: workspace.directory,
    env: { ...workspace.env, ...env },
  });
}

/** Runs a script to its end. */
export function runScript(
  workspace: Workspace,
  script: string,
  options?: ScriptOptions,
): Promise<Ended> {
  return startScript(workspace, script, options).ended;
}

/** The PIDs that a script has printed with `warm`. */
export function warmProcesses({ stdout }: Ended): readonly string[] {
  return [...stdout.matchAll(/^warm:(\d+)$/gm)].map(([, pid = ""]) => pid);
}
