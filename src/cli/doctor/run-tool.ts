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

const maxWaitMs = 20_000;

/** Runs a tool for at most 20 seconds. */
export function runTool(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout: maxWaitMs }, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") resolve({ kind: "missing" });
      else resolve({ kind: "ended", ok: error === null, stdout, stderr });
    });
  });
}
