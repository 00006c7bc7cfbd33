import { type ChildProcess, spawn } from "node:child_process";
import { startFailure, Turns } from "../exec/run-command";
import { installMissing } from "../exec/with-providers";
import type { WarmProviders } from "../warm/warm-providers";
import type { Interruption } from "../exec/interruption";

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  /** Its output, unless a caller reads the lines. */
  readonly stdout: string;
  readonly stderr: string;
}

interface TerraformOptions {
  /** The name or path of `terraform` or `tofu`. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which it finds our providers. */
  readonly mirror: string;
  /** Undefined where providers cannot be kept: Terraform then starts them itself. */
  readonly providers: WarmProviders | undefined;
  readonly interruption: Interruption;
}

/** A plan of ten thousand resources takes about a tenth of it. A string cannot be much longer. */
const maxCharacters = 256 * 1024 * 1024;

/** Runs Terraform's commands with the same providers. In a folder, it runs one after another. */
export class Terraform {
  readonly #options: TerraformOptions;
  readonly #installations: Turns;

  constructor(options: TerraformOptions, installations = new Turns()) {
    this.#options = options;
    this.#installations = installations;
  }

  get env(): NodeJS.ProcessEnv {
    return this.#options.env;
  }

  /**
   * Installs our providers that are missing.
   *
   * @param isNeeded receives the source address of each
   * @returns whether one was installed
   * @throws CommandError if that is impossible
   */
  install(isNeeded: (source: string) => boolean): Promise<boolean> {
    return installMissing(this.#options.mirror, isNeeded);
  }

  /** Calls `use` while nothing else installs providers: folders can share a cache, which Terraform does not lock. */
  async whileInstalling<Result>(use: () => Promise<Result>): Promise<Result> {
    return await this.#installations.take(use);
  }

  /** Returns the same Terraform with another environment. */
  withEnvironment(env: NodeJS.ProcessEnv): Terraform {
    return new Terraform({ ...this.#options, env }, this.#installations);
  }

  /**
   * Runs a command until it exits.
   *
   * @param read reads each line that it prints
   * @throws CommandError if Terraform cannot be started
   */
  async run(
    folder: string,
    args: readonly string[],
    read?: (line: string) => void,
  ): Promise<Ended> {
    const { command, interruption } = this.#options;
    const child = spawn(command, args, {
      cwd: folder,
      env: await this.#environment(folder, args),
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stdout = new Collected(child, "stdout", read);
    const stderr = new Collected(child, "stderr");
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", (cause: NodeJS.ErrnoException) => {
        reject(startFailure(command, cause, missing(this.#options.env)));
      });
      child.once("close", (code) => {
        resolve({ code, stdout: stdout.end(), stderr: stderr.end() });
      });
    });
    try {
      return await interruption.during(child, false, ended);
    } finally {
      this.#options.providers?.release(folder);
    }
  }

  /** Returns the program and its version, such as `Terraform 1.11.4`; undefined if it does not print them. */
  async version(folder: string): Promise<string | undefined> {
    const { stdout } = await this.run(folder, ["version"]);
    const [, program, version] = /^(Terraform|OpenTofu) v(\S+)/m.exec(stdout) ?? [];
    return program === undefined ? undefined : `${program} ${version ?? ""}`;
  }

  async #environment(folder: string, args: readonly string[]): Promise<NodeJS.ProcessEnv> {
    const { providers } = this.#options;
    const env: NodeJS.ProcessEnv = { ...this.#options.env, TF_IN_AUTOMATION: "1", TF_INPUT: "0" };
    if (providers === undefined) return env;
    const present = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const attachments = await providers.attachments({
      pid: process.pid,
      calledIn: folder,
      args,
      env: Object.fromEntries(present),
    });
    return attachments === undefined ? env : { ...env, TF_REATTACH_PROVIDERS: attachments };
  }
}

/** Advice for a program that does not exist. */
const missing = ({ TERRAFORM_BINARY_NAME: named = "" }: NodeJS.ProcessEnv): string =>
  named === ""
    ? "Install Terraform 1.5 or newer, or set TERRAFORM_BINARY_NAME to another program."
    : "It is the value of the environment variable TERRAFORM_BINARY_NAME. Correct the variable, or unset it to run `terraform`.";

class Collected {
  readonly #read: ((line: string) => void) | undefined;
  #pieces: string[] = [];
  #length = 0;

  constructor(child: ChildProcess, stream: "stdout" | "stderr", read?: (line: string) => void) {
    this.#read = read;
    child[stream]?.setEncoding("utf8").on("data", (piece: string) => {
      this.#add(piece);
      if (this.#length > maxCharacters) child.kill("SIGKILL");
    });
  }

  /** Returns the rest of the output, or everything if no caller reads the lines. */
  end(): string {
    const rest = this.#pieces.join("");
    if (this.#read === undefined || rest === "") return rest;
    this.#read(rest);
    return "";
  }

  #add(piece: string): void {
    if (this.#read !== undefined && piece.includes("\n")) {
      const lines = [...this.#pieces, piece].join("").split("\n");
      this.#pieces = [lines.pop() ?? ""];
      this.#length = this.#pieces[0]?.length ?? 0;
      lines.forEach(this.#read);
      return;
    }
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}
