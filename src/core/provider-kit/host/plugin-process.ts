import { LogRedactor } from "../records/log-redactor";
import { writeToStderr } from "../records/logging";

/** Ends the provider's process: on a signal, on a crash or on request. */
export class PluginProcess {
  /** Redacts secrets in whatever the process writes. */
  readonly redactor = new LogRedactor();
  readonly #cleanups: (() => void)[] = [];
  readonly #exit = process.exit.bind(process);
  readonly #identity: ProviderIdentity | undefined;

  /** @param identity undefined for the providers of a project, which have no version */
  constructor(identity: ProviderIdentity | undefined) {
    this.#identity = identity;
    // A handler must not end the process: Terraform would show nothing but a lost connection.
    process.exit = (code) => this.crash(new Error(`process.exit(${code ?? ""}) was called`));
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

  /** Ends the process because of a bug, and prints a description that Terraform shows. */
  readonly crash = (error: unknown): never => {
    const [headline = "", ...lines] = crashLines(this.#identity, error).map((line) =>
      this.redactor.text(line),
    );
    writeToStderr([`panic: ${headline}`, ...lines, ""].join("\n"));
    return this.end(crashExitCode);
  };
}

const crashExitCode = 2;

const maxStackLines = 40;

/**
 * Describes an uncaught error in lines that Terraform shows to the user.
 *
 * Terraform keeps the plain lines (not JSON) that a plugin writes to standard error, starting with
 * a line that begins with `panic: ` (hashicorp/terraform internal/logging/panic.go), and prints
 * them when the command fails. Without TF_LOG, any other output of a crashing plugin is lost.
 */
function crashLines(identity: ProviderIdentity | undefined, error: unknown): readonly string[] {
  const described =
    error instanceof Error
      ? (error.stack ?? `${error.name}: ${error.message}`)
      : `a value that is not an error was thrown: ${String(error)}`;
  const stack = described.split("\n").slice(0, maxStackLines);
  if (identity === undefined) {
    return [
      "The process of the project's providers ended because of an unexpected error:",
      ...stack,
    ];
  }
  const { name, version } = identity;
  return [
    `terraform-provider-${name} ${version} ended because of an unexpected error.`,
    "This is a bug in the provider, not in the configuration. Please report it with these lines:",
    ...stack,
  ];
}

/** The name, version and source address of a provider. */
export interface ProviderIdentity {
  /** The last part of its source address, such as `ids`. */
  readonly name: string;
  readonly version: string;
  /** Its source address in a configuration, such as `trivet.local/trivet/ids`. */
  readonly source: string;
}

export function versionText({ name, version }: ProviderIdentity): string {
  return `terraform-provider-${name} ${version}\n`;
}

export function usageText(identity: ProviderIdentity): string {
  const { name, source, version } = identity;
  return `${versionText(identity)}
This is a Terraform provider. Terraform and OpenTofu start it automatically. You do not
need to run it yourself.

To use it, add it to a configuration:

    terraform {
      required_providers {
        ${name} = {
          source  = "${source}"
          version = "${version}"
        }
      }
    }

"terraform init" finds it at this path in a plugin folder, such as
~/.terraform.d/plugins or a filesystem_mirror in the CLI configuration:

    ${source}/${version}/OS_ARCH/terraform-provider-${name}_v${version}

Options:
    --reattach serve until Ctrl-C, and print the TF_REATTACH_PROVIDERS that makes
                 Terraform use this process (for development)
    --warm       the same for \`trivet exec --warm\`, until standard input is closed
                 and no client is connected
    --version    print the version
    --help       print this text
`;
}

/** Timers, replaceable in tests. */
export interface Clock {
  /** Runs an action once after a delay. The returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

/** The system's timers. They do not keep the process alive. */
const realClock: Clock = {
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** The settings of an {@link OrphanWatch}. */
export interface OrphanWatchOptions {
  /** The time to wait for the first connection, in milliseconds. @default 60000 */
  readonly firstConnectionMs?: number | undefined;
  /**
   * The time to wait for a reconnection after the last connection was closed, in milliseconds.
   *
   * @default 5000
   */
  readonly reconnectionMs?: number | undefined;
  /** @default realClock */
  readonly clock?: Clock | undefined;
}

/**
 * Detects that the caller has disappeared without `Shutdown`, as when Terraform is killed.
 *
 * Standard input cannot be used for this: it is the user's terminal.
 */
export class OrphanWatch {
  readonly #clock: Clock;
  readonly #reconnectionMs: number;
  readonly #onOrphaned: () => void;
  #cancel: () => void;

  constructor(onOrphaned: () => void, options: OrphanWatchOptions = {}) {
    this.#onOrphaned = onOrphaned;
    this.#clock = options.clock ?? realClock;
    this.#reconnectionMs = options.reconnectionMs ?? 5000;
    this.#cancel = this.#clock.after(options.firstConnectionMs ?? 60_000, onOrphaned);
  }

  /** Updates the number of open connections. */
  readonly update = (open: number): void => {
    this.#cancel();
    this.#cancel =
      open === 0 ? this.#clock.after(this.#reconnectionMs, this.#onOrphaned) : () => undefined;
  };
}
