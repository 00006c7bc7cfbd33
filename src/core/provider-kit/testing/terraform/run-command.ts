import { spawn } from "node:child_process";

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The time to exit after an interrupt. */
const graceMs = 5000;

/**
 * Runs a command until it exits. When it runs out of time, it is interrupted, so that Terraform stores its state, and
 * then killed.
 *
 * @throws Error when it cannot be started, or runs out of time
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: RunOptions,
): Promise<CommandResult> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const late = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const limit = setTimeout(() => {
    late.abort();
    child.kill("SIGINT");
    grace = setTimeout(() => child.kill("SIGKILL"), graceMs);
  }, timeoutMs);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (!late.signal.aborted) return { code, output, errors };
  } finally {
    clearTimeout(limit);
    clearTimeout(grace);
  }
  const text = (errors || output).trim().slice(-2000);
  throw new Error(
    [`${command} ${args[0] ?? ""} was stopped after ${timeoutMs} ms`, text]
      .filter(Boolean)
      .join("\n"),
  );
}
