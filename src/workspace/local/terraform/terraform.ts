import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { hasCode } from "../../../process/system-error";
import { objectOf, parsedJson, textOf } from "./json-value";
import { LocalPlatformError } from "./local-platform-error";

export interface TerraformSettings {
  /** The binary: a name on PATH or a path. */
  readonly binary: string;
  readonly folder: string;
  /** Gets what Terraform says while it works, line by line. */
  readonly log: (line: string) => void;
  /** Ends the running command in order: Terraform saves its state first. */
  readonly signal: AbortSignal | undefined;
  /** Tell all of it, also what is of interest only when something fails. */
  readonly verbose: boolean;
  /** Gets the id of each process. */
  readonly started: (pid: number) => void;
}

type Environment = NodeJS.ProcessEnv;

/** How much of what a command says is told while it works. What it fails with is told in any case. */
export type CommandResult = "everything" | "warnings" | "nothing";

/** The commands of one build, with the platform's own flags. */
export class Terraform {
  constructor(readonly settings: TerraformSettings) {}

  /** Says something only when it fails. */
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
      /** @default "everything" */
      readonly tells?: CommandResult;
    },
  ): Promise<void> {
    const variables = Object.entries(options.variables).flatMap(([name, value]) => [
      "-var",
      `${name}=${value}`,
    ]);
    const args = ["plan", "-no-color", "-input=false", "-json", "-refresh=true", `-out=${file}`];
    const all = [...args, ...variables, ...(options.destroy ? ["-destroy"] : [])];
    await this.#runJson(all, env, this.settings.verbose ? "everything" : options.tells);
  }

  /** What it did stands in the state, even when this fails. */
  async apply(file: string, env: Environment): Promise<void> {
    const args = ["apply", "-no-color", "-auto-approve", "-input=false", "-json", file];
    await this.#runJson(args, env);
  }

  /** A plan, or the state when no file is named. */
  async show(env: Environment, file?: string): Promise<unknown> {
    const args = ["show", "-json", "-no-color", ...(file === undefined ? [] : [file])];
    return parsedJson(await this.#run(args, env));
  }

  async graph(env: Environment): Promise<string> {
    return await this.#run(["graph", "-type=plan"], env);
  }

  /** Commands with `-json` print a message on each line, diagnostics among them. */
  async #runJson(
    args: readonly string[],
    env: Environment,
    tells: CommandResult = "everything",
  ): Promise<void> {
    const errors: string[] = [];
    try {
      await this.#run(args, env, (line) => {
        const message = objectOf(parsedJson(line));
        const diagnostic = diagnosticText(message["diagnostic"]);
        // CommandResult once, at the end.
        if (textOf(message["@level"]) === "error") errors.push(diagnostic ?? line);
        else if (tells === "everything" || (tells === "warnings" && diagnostic !== undefined)) {
          this.settings.log(diagnostic ?? (textOf(message["@message"]) || line));
        }
      });
    } catch (failure) {
      if (!isTerraformFailure(failure) || errors.length === 0) throw failure;
      throw new LocalPlatformError("TERRAFORM", errors.join("\n"), failure.cure);
    }
  }

  /** Gives what it prints; with `onLine`, line by line while it works. */
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
      // In a group of its own, so that Ctrl-C reaches it once: a second one makes it leave at once.
      detached: process.platform !== "win32",
    });
    if (child.pid !== undefined) this.settings.started(child.pid);
    const stop = () => child.kill("SIGINT");
    signal?.addEventListener("abort", stop);
    const printed: string[] = [];
    const complaints: string[] = [];
    createInterface({ input: child.stdout }).on("line", onLine ?? ((line) => printed.push(line)));
    createInterface({ input: child.stderr }).on("line", (line) => complaints.push(line));
    try {
      const code = await new Promise<number | null>((done, failed) => {
        child.once("error", (cause) => failed(notStarted(binary, cause)));
        child.once("close", done);
      });
      if (isAborted(signal)) throw interrupted();
      if (code === 0) {
        complaints.forEach(log);
        return printed.join("\n");
      }
      const said = complaints.join("\n").trim();
      throw new LocalPlatformError(
        "TERRAFORM",
        said === "" ? `${binary} ${args[0] ?? ""} failed` : said,
        `\`${binary} ${args[0] ?? ""}\` said so; it ran on a copy of the template.`,
      );
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }
}

/** It changes while a command runs. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

function diagnosticText(value: unknown): string | undefined {
  const { severity, summary, detail, address } = objectOf(value);
  if (summary === undefined) return undefined;
  const head = `${textOf(severity) === "warning" ? "Warning" : "Error"}: ${textOf(summary)}`;
  const place = textOf(address) === "" ? [] : [`  with ${textOf(address)}`];
  return [head, ...place, textOf(detail)].filter((line) => line !== "").join("\n");
}

function isTerraformFailure(failure: unknown): failure is LocalPlatformError {
  return failure instanceof LocalPlatformError && failure.code === "TERRAFORM";
}

function interrupted(): LocalPlatformError {
  return new LocalPlatformError(
    "INTERRUPTED",
    "The build was interrupted.",
    "What had been done until then is kept: the next build goes on from there.",
  );
}

function notStarted(binary: string, cause: Error): LocalPlatformError {
  const missing = hasCode(cause, "ENOENT");
  return new LocalPlatformError(
    "NO_TERRAFORM",
    missing
      ? `There is no command "${binary}".`
      : `"${binary}" cannot be started: ${cause.message}.`,
    "Install Terraform or OpenTofu, or name the binary that is to run.",
    { cause },
  );
}
