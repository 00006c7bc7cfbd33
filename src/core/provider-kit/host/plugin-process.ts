import { writeToStderr } from "../records/logging";
import type { LogRedactor } from "../records/log-redactor";
import type { ProviderIdentity } from "./usage";

/** Ends the provider's process: on a signal, on a crash or on request. */
export class PluginProcess {
  readonly #cleanups: (() => void)[] = [];
  readonly #exit = process.exit.bind(process);

  readonly #identity: ProviderIdentity | undefined;
  readonly #redactor: LogRedactor;

  /** @param identity undefined for the providers of a project, which have no version */
  constructor(identity: ProviderIdentity | undefined, redactor: LogRedactor) {
    this.#identity = identity;
    this.#redactor = redactor;
    this.#refuseExit();
    process.on("uncaughtException", (error) => {
      this.crash(error);
    });
  }

  /** Registers an action that runs before the process ends. */
  beforeEnd(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /**
   * Ends the process on SIGTERM and SIGHUP.
   *
   * @param onInterrupt handles SIGINT, which Terraform receives too
   */
  handleSignals(onInterrupt: () => void): void {
    process.on("SIGINT", onInterrupt);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        this.end(0);
      });
    }
  }

  /**
   * Runs the registered actions and exits immediately, without waiting for connections or handlers.
   */
  readonly end = (exitCode: number): never => {
    for (const cleanup of this.#cleanups.splice(0)) {
      try {
        cleanup();
      } catch {
        // Nothing may prevent the process from ending.
      }
    }
    return this.#exit(exitCode);
  };

  /** Reports who ends the process without being asked to. */
  #refuseExit(): void {
    process.exit = (code) => this.crash(new Error(`process.exit(${code ?? ""}) was called`));
  }

  /** Ends the process because of a bug, and prints a description that Terraform shows. */
  readonly crash = (error: unknown): never => {
    writeToStderr(formatCrash(this.#identity, error, this.#redactor));
    return this.end(crashExitCode);
  };
}

/** The exit code of a provider that crashed. */
const crashExitCode = 2;

const maxStackLines = 40;

/**
 * Formats an uncaught error in lines that Terraform shows to the user.
 *
 * Terraform keeps the plain lines (not JSON) that a plugin writes to standard error, starting with
 * a line that begins with `panic: ` (hashicorp/terraform internal/logging/panic.go), and prints
 * them when the command fails. Without TF_LOG, any other output of a crashing plugin is lost.
 */
function formatCrash(
  identity: ProviderIdentity | undefined,
  error: unknown,
  redactor: LogRedactor,
): string {
  const [headline, ...lines] = crashLines(identity, error).map((line) => redactor.text(line));
  return [`panic: ${headline ?? ""}`, ...lines, ""].join("\n");
}

function crashLines(identity: ProviderIdentity | undefined, error: unknown): readonly string[] {
  const described =
    error instanceof Error
      ? (error.stack ?? `${error.name}: ${error.message}`)
      : `a value that is not an error was thrown: ${String(error)}`;
  if (identity === undefined) {
    return [
      "The process of the project's providers ended because of an unexpected error:",
      ...described.split("\n").slice(0, maxStackLines),
    ];
  }
  const { name, version } = identity;
  return [
    `terraform-provider-${name} ${version} ended because of an unexpected error.`,
    "This is a bug in the provider, not in the configuration. Please report it with these lines:",
    ...described.split("\n").slice(0, maxStackLines),
  ];
}
