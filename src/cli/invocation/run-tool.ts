import { execFile } from "node:child_process";

/** The result of running a tool; `missing` if it does not exist. */
export type Outcome =
  | { readonly kind: "missing" }
  | {
      readonly kind: "ended";
      readonly ok: boolean;
      readonly stdout: string;
      readonly stderr: string;
    };

/**
 * Runs a tool until it exits.
 *
 * @param variables added to its environment
 */
export type RunTool = (
  command: string,
  args: readonly string[],
  variables?: Readonly<Record<string, string>>,
) => Promise<Outcome>;

const maxWaitMs = 20_000;

/** Runs tools for at most 20 seconds each, without the check for a newer version. */
export function toolRunner(env: NodeJS.ProcessEnv): RunTool {
  return (command, args, variables) =>
    new Promise((resolve) => {
      const options = {
        env: { ...env, CHECKPOINT_DISABLE: "1", ...variables },
        timeout: maxWaitMs,
      };
      execFile(command, args, options, (error, stdout, stderr) => {
        if (error?.code === "ENOENT") resolve({ kind: "missing" });
        else resolve({ kind: "ended", ok: error === null, stdout, stderr });
      });
    });
}
