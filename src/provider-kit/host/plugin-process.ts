import { writeToStderr } from "./log/logging";
import type { LogRedactor } from "./log/redactor";
import type { ProviderIdentity } from "./usage";

/** The end of the process, for whatever reason it comes. */
export class PluginProcess {
  private readonly cleanups: (() => void)[] = [];

  constructor(
    private readonly identity: ProviderIdentity,
    private readonly redactor: LogRedactor,
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

/** The exit code of a provider that failed by a bug. */
const crashExitCode = 2;

const maxStackLines = 40;

/**
 * Describes an error that nobody caught, in lines that Terraform shows to its user.
 *
 * Terraform keeps the plain lines (not JSON) that a plugin writes to standard error from one on
 * that begins with `panic: ` (hashicorp/terraform internal/logging/panic.go), and prints them when
 * the command has failed; any other output of a crashing plugin is lost without TF_LOG.
 */
function formatCrash(identity: ProviderIdentity, error: unknown, redactor: LogRedactor): string {
  const [headline, ...lines] = crashLines(identity, error).map((line) => redactor.text(line));
  return [`panic: ${headline ?? ""}`, ...lines, ""].join("\n");
}

function crashLines({ name, version }: ProviderIdentity, error: unknown): readonly string[] {
  const described =
    error instanceof Error
      ? (error.stack ?? `${error.name}: ${error.message}`)
      : `a value that is not an error was thrown: ${String(error)}`;
  return [
    `terraform-provider-${name} ${version} ended because of an error that it did not expect.`,
    "This is a bug of the provider, not of the configuration. Please report it with these lines:",
    ...described.split("\n").slice(0, maxStackLines),
  ];
}
