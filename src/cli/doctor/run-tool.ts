import { execFile } from "node:child_process";

/** How a tool that was started to look at it ended; `missing` when there is none. */
export type Outcome =
  | { readonly kind: "missing" }
  | {
      readonly kind: "ended";
      readonly ok: boolean;
      readonly stdout: string;
      readonly stderr: string;
    };

const MAX_WAIT_MS = 20_000;

export function runTool(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout: MAX_WAIT_MS }, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") resolve({ kind: "missing" });
      else resolve({ kind: "ended", ok: error === null, stdout, stderr });
    });
  });
}
