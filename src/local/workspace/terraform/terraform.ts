import { within } from "../../../core/failure/failure";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { hasCode } from "../../../core/process/system-error";
import { objectOf, stringOf } from "./json-value";
import {
  localPlatformError,
  isLocalPlatformError,
  type LocalPlatformError,
} from "./local-platform-error";
import { diagnosticOf, diagnosticText, type TerraformDiagnostic } from "./terraform-diagnostic";
import { parsedJson } from "../../../core/json/plain-json";

interface TerraformSettings {
  /** Name on PATH or path of the binary. */
  readonly binary: string;
  readonly folder: string;
  readonly log: (line: string) => void;
  /** Stops the running command gracefully: Terraform saves its state first. */
  readonly signal: AbortSignal | undefined;
  /** Logs all output, including output that usually matters only if a command fails. */
  readonly verbose: boolean;
  /** Receives the ID of each process that is started. */
  readonly started: (pid: number) => void;
}

type Environment = NodeJS.ProcessEnv;

/** The part of a command's output that is logged while it runs. Errors are always reported. */
export type LoggedOutput = "all" | "warnings" | "none";

/** Runs the Terraform commands of one build, with the flags that the platform uses. */
export class Terraform {
  constructor(readonly settings: TerraformSettings) {}

  /** Logs output only on failure, unless `verbose` is set. */
  async init(env: Environment): Promise<void> {
    const { log, verbose } = this.settings;
    const printed: string[] = [];
    const onLine = verbose ? log : (line: string) => printed.push(line);
    try {
      await this.#run(["init", "-no-color", "-input=false"], env, onLine);
    } catch (failure) {
      if (isTerraformFailure(failure)) printed.forEach(log);
      throw failure;
    }
  }

  async plan(
    file: string,
    env: Environment,
    options: {
      readonly destroy: boolean;
      readonly variables: Readonly<Record<string, string>>;
      /** @default "all" */
      readonly output?: LoggedOutput;
    },
  ): Promise<void> {
    const args = ["plan", "-no-color", "-input=false", "-json", "-refresh=true", `-out=${file}`];
    const variables = variableFlags(options.variables);
    const all = [...args, ...variables, ...(options.destroy ? ["-destroy"] : [])];
    await this.#runJson(all, env, this.settings.verbose ? "all" : options.output);
  }

  /** Downloads the modules of the configuration, but no providers. */
  async getModules(env: Environment): Promise<void> {
    await this.#run(["get", "-no-color"], env);
  }

  /**
   * Plans without a state and without a lock, and returns errors. Since Terraform 1.5, there is a plan even
   * if there are errors, of everything before them.
   */
  async tryPlan(
    file: string,
    env: Environment,
    variables: Readonly<Record<string, string>>,
  ): Promise<readonly TerraformDiagnostic[]> {
    const flags = ["-no-color", "-input=false", "-json", "-refresh=false", "-lock=false"];
    const args = ["plan", ...flags, `-out=${file}`, ...variableFlags(variables)];
    const found: TerraformDiagnostic[] = [];
    try {
      await this.#run(args, env, (line) => {
        const diagnostic = diagnosticOf(objectOf(parsedJson(line))["diagnostic"]);
        if (diagnostic !== undefined) found.push(diagnostic);
      });
    } catch (failure) {
      if (!isTerraformFailure(failure) || found.length === 0) throw failure;
    }
    return found;
  }

  /** Applies a plan. The state contains the changes even if this fails. */
  async apply(file: string, env: Environment): Promise<void> {
    const args = ["apply", "-no-color", "-auto-approve", "-input=false", "-json", file];
    await this.#runJson(args, env);
  }

  /** Reads a plan, or the state if no file is given. */
  async show(env: Environment, file?: string): Promise<unknown> {
    const args = ["show", "-json", "-no-color", ...(file === undefined ? [] : [file])];
    return parsedJson(await this.#run(args, env));
  }

  async graph(env: Environment): Promise<string> {
    return await this.#run(["graph", "-type=plan"], env);
  }

  /**
   * Commands with `-json` print one message per line, including diagnostics.
   *
   * @see https://developer.hashicorp.com/terraform/internals/machine-readable-ui
   */
  async #runJson(
    args: readonly string[],
    env: Environment,
    output: LoggedOutput = "all",
  ): Promise<void> {
    const errors: string[] = [];
    try {
      await this.#run(args, env, (line) => {
        const message = objectOf(parsedJson(line));
        const diagnostic = diagnosticText(message["diagnostic"]);
        // Errors are reported once, at the end.
        if (stringOf(message["@level"]) === "error") errors.push(diagnostic ?? line);
        else if (output === "all" || (output === "warnings" && diagnostic !== undefined)) {
          this.settings.log(diagnostic ?? (stringOf(message["@message"]) || line));
        }
      });
    } catch (failure) {
      if (!isTerraformFailure(failure) || errors.length === 0) throw failure;
      throw within(failure, errors.join("\n"));
    }
  }

  /** Returns the standard output, or passes it to `onLine` line by line. */
  async #run(
    args: readonly string[],
    env: Environment,
    onLine?: (line: string) => void,
  ): Promise<string> {
    const { binary, folder, signal, log } = this.settings;
    if (isAborted(signal)) throw interrupted();
    const child = spawn(binary, args, {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      // A separate process group, so that Ctrl-C reaches Terraform once: a second signal makes it exit
      // immediately.
      detached: process.platform !== "win32",
    });
    if (child.pid !== undefined) this.settings.started(child.pid);
    const stop = () => child.kill("SIGINT");
    signal?.addEventListener("abort", stop);
    const printed: string[] = [];
    const errorLines: string[] = [];
    createInterface({ input: child.stdout }).on("line", onLine ?? ((line) => printed.push(line)));
    createInterface({ input: child.stderr }).on("line", (line) => errorLines.push(line));
    try {
      const { code, killedBy } = await new Promise<Ended>((done, failed) => {
        child.once("error", (cause) => failed(notStarted(binary, cause)));
        child.once("close", (status, signalled) => done({ code: status, killedBy: signalled }));
      });
      if (isAborted(signal)) throw interrupted();
      if (code === 0) {
        errorLines.forEach(log);
        return printed.join("\n");
      }
      const stderr = errorLines.join("\n").trim();
      throw localPlatformError(
        "TERRAFORM",
        stderr === "" ? `${binary} ${args[0] ?? ""} ${failureText(killedBy)}` : stderr,
        {
          advice: `\`${binary} ${args[0] ?? ""}\` reported this; it ran on a copy of the template.`,
        },
      );
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }
}

/** The result of a command: its exit code, or the signal that ended it. */
interface Ended {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

const failureText = (killedBy: NodeJS.Signals | null): string =>
  killedBy === null ? "failed" : `was ended by ${killedBy}`;

/** Reads the signal in a function, because `aborted` can change while a command runs. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

const variableFlags = (variables: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(variables).flatMap(([name, value]) => ["-var", `${name}=${value}`]);

function isTerraformFailure(failure: unknown): failure is LocalPlatformError {
  return isLocalPlatformError(failure) && failure.code === "TERRAFORM";
}

function interrupted(): LocalPlatformError {
  return localPlatformError("INTERRUPTED", "The build was interrupted.", {
    advice: "The changes so far are saved. The next build continues from there.",
  });
}

function notStarted(binary: string, cause: Error): LocalPlatformError {
  const missing = hasCode(cause, "ENOENT");
  return localPlatformError(
    "NO_TERRAFORM",
    missing
      ? `The command "${binary}" was not found.`
      : `"${binary}" cannot be started: ${cause.message}.`,
    { advice: "Install Terraform or OpenTofu, or set the path of its binary.", cause },
  );
}
