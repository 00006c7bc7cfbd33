import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { note } from "../invocation/failure";

/** The signals of Ctrl-C, of a closed terminal, and of requests to stop. */
export const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * The time that Terraform has to exit after a second signal. It waits up to five seconds for its providers.
 */
const endMs = 10_000;

interface Child {
  readonly process: ChildProcess;
  /** True if all processes in its group get the first signal. */
  readonly isGroup: boolean;
}

/**
 * Handles Ctrl-C while child processes work.
 *
 * Passes the first signal on as SIGINT, after which Terraform finishes its running operations and saves its state. Passes the
 * second one on too, after which Terraform exits immediately. A third one, or ten seconds, kill it.
 *
 * Children run in separate process groups. Otherwise, the terminal would send them the signal as well, and for Terraform it
 * would be the second one.
 */
export class Interruption {
  readonly #aborted = new AbortController();
  #signal: NodeJS.Signals | undefined;
  #count = 0;
  readonly #children = new Set<Child>();

  constructor() {
    for (const signal of endingSignals) process.on(signal, this.#receive);
  }

  /** The exit code if a signal arrived: 128 plus its number, such as 130 for Ctrl-C. */
  get exitCode(): number | undefined {
    return this.#signal === undefined ? undefined : 128 + constants.signals[this.#signal];
  }

  /** Aborted by the first signal. */
  get aborted(): AbortSignal {
    return this.#aborted.signal;
  }

  /**
   * Passes signals on to a process until it has ended. Several processes can run at the same time.
   *
   * @param isGroup true if all processes in its group get the first signal, because none has work to finish
   */
  async during<Result>(
    child: ChildProcess,
    isGroup: boolean,
    ended: Promise<Result>,
  ): Promise<Result> {
    const running = { process: child, isGroup };
    this.#children.add(running);
    if (this.#signal !== undefined) interrupt(running);
    try {
      return await ended;
    } finally {
      this.#children.delete(running);
      // Background processes of an app do not get SIGINT. After a second signal, Terraform may leave its providers running.
      if (this.#count > (isGroup ? 0 : 1)) killGroup(child);
    }
  }

  /** Ends the child processes, like SIGTERM. */
  stop(): void {
    this.#receive("SIGTERM");
  }

  /** Restores the default handling: signals end this process. */
  release(): void {
    for (const signal of endingSignals) process.off(signal, this.#receive);
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    this.#count++;
    this.#signal ??= signal;
    this.#aborted.abort();
    const children = [...this.#children];
    if (this.#count === 1 && children.some(({ isGroup }) => !isGroup)) {
      note(
        "Waiting until Terraform has saved its state. Press Ctrl-C again to stop it immediately.",
      );
    }
    for (const child of children) {
      if (this.#count > 2) killGroup(child.process);
      else interrupt(child);
    }
    if (this.#count === 2) setTimeout(this.#killAll, endMs).unref();
  };

  readonly #killAll = (): void => {
    for (const child of this.#children) killGroup(child.process);
  };
}

function interrupt({ process: child, isGroup }: Child): void {
  // On Windows, the console has sent it to all processes.
  if (process.platform === "win32") return;
  if (isGroup) sendToGroup(child, "SIGINT");
  else child.kill("SIGINT");
}

/** Kills a process and its children at once. */
export const killGroup = (child: ChildProcess): void => {
  if (process.platform === "win32") child.kill("SIGKILL");
  else sendToGroup(child, "SIGKILL");
};

function sendToGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All processes of the group have ended.
  }
}
