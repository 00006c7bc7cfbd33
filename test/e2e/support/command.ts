import { until } from "../../until";
import { type ChildProcess, spawn } from "node:child_process";

export interface Ended {
  /** Undefined when the command was ended by a signal. */
  readonly code: number | undefined;
  readonly stdout: string;
  /** Both streams, in the order of their arrival. */
  readonly output: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a command in a separate process group, as a terminal does. */
export function startCommand(
  command: string,
  args: readonly string[],
  { cwd, env }: CommandOptions,
): Started {
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
    output += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code: code ?? undefined, stdout, output });
    });
  });
  return { child, ended };
}

/** Sends SIGINT to the command and all its processes, as Ctrl-C does. */
export function interrupt({ child }: Started): void {
  if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
}

/** Waits for something while a command runs. Fails with the command's output if it ends first. */
export async function whileRunning({ ended }: Started, event: Promise<void>): Promise<void> {
  const early = await Promise.race([event, ended]);
  if (early !== undefined) throw new Error(`the command ended too soon:\n${early.output}`);
}

/** @throws Error with the command's output, when its exit code is not 0 */
export async function succeeded(title: string, { ended }: Started): Promise<Ended> {
  const result = await ended;
  if (result.code === 0) return result;
  throw new Error(`${title} ended with ${String(result.code)}:\n${result.output}`);
}

/** Removes Terraform's boxes and line breaks from its output. */
export function words(output: string): string {
  return output.replaceAll(/[╷│╵\s]+/g, " ");
}

/** Returns a function that waits until a command has printed something, a number of times. */
export function saying(started: Started): (text: string, times?: number) => Promise<void> {
  let output = "";
  for (const stream of [started.child.stdout, started.child.stderr]) {
    stream?.on("data", (data: Buffer) => (output += data.toString()));
  }
  return (text, times = 1) =>
    whileRunning(
      started,
      until(() => output.split(text).length > times),
    );
}

/** Returns a function that waits until a watching command has waited for changes a number of times. */
export function waiting(started: Started): (times: number) => Promise<void> {
  const said = saying(started);
  return (times) => said("waiting for changes", times);
}
