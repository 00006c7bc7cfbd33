import { crashExitCode, formatCrash } from "./crash";
import { writeToStderr } from "./log/logging";
import type { Redactor } from "./log/redactor";
import type { ProviderIdentity } from "./usage";

/** The end of the process, for whatever reason it comes. */
export class PluginProcess {
  private readonly cleanups: (() => void)[] = [];

  constructor(
    private readonly identity: ProviderIdentity,
    private readonly redactor: Redactor,
  ) {
    process.on("uncaughtException", (error) => {
      this.crash(error);
    });
  }

  /** Runs an action before the process ends. */
  beforeEnd(cleanup: () => void): void {
    this.cleanups.push(cleanup);
  }

  /** Ends on the system's request; an interrupt can be left to Terraform, which gets it too. */
  handleSignals(onInterrupt: () => void): void {
    process.on("SIGINT", onInterrupt);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        this.end(0);
      });
    }
  }

  /** Ends at once, without waiting for connections or handlers. */
  readonly end = (exitCode: number): never => {
    for (const cleanup of this.cleanups.splice(0)) {
      try {
        cleanup();
      } catch {
        // Nothing may keep the process from ending.
      }
    }
    process.exit(exitCode);
  };

  /** Ends because of a bug, whose description Terraform shows. */
  readonly crash = (error: unknown): never => {
    writeToStderr(formatCrash(this.identity, error, this.redactor));
    return this.end(crashExitCode);
  };
}
