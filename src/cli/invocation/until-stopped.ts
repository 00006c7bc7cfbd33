import { ExitCode } from "./exit-code";

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs a task until Ctrl-C or a request to stop aborts its signal, after which the task ends by itself. A
 * second Ctrl-C ends this process. Processes in separate groups, such as Terraform's, still stop gracefully.
 */
export async function untilStopped<Result>(
  run: (stopped: AbortSignal) => Promise<Result>,
  onStop: (signal: NodeJS.Signals) => void = () => undefined,
): Promise<Result> {
  const stop = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    onStop(signal);
    stop.abort();
  };
  for (const signal of signals) process.once(signal, end);
  try {
    return await run(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

/** Runs a server until it is stopped, like {@link untilStopped}. */
export const serveUntilStopped = (run: (stopped: AbortSignal) => Promise<void>): Promise<void> =>
  untilStopped(run, (signal) => {
    process.exitCode = signal === "SIGINT" ? ExitCode.interrupted : ExitCode.ok;
  });

let isFinishing = false;

/**
 * Lets the process finish its work even if its output is closed, as with `| head`. Otherwise the process
 * exits, and everything that it has started is aborted as well.
 */
export function finishWithoutOutput(): void {
  isFinishing = true;
}

/** Checks whether the process continues when its output is closed. */
export const finishesWithoutOutput = (): boolean => isFinishing;
