import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseTiming, timed, type Timing } from "./time-command";

/** Runs Terraform with the packaged providers. */
export class Terraform {
  readonly #folder: string;
  readonly #trivet: string;
  readonly #mirror: string;

  /** @param folder the working folder */
  constructor(folder: string, root: string) {
    this.#folder = folder;
    this.#trivet = join(root, "dist", "src", "cli", "main.js");
    this.#mirror = join(folder, "mirror");
    execFileSync(process.execPath, [this.#trivet, "install", "--dir", this.#mirror], {
      stdio: "ignore",
    });
  }

  /** Initialises a configuration and returns its folder. */
  prepare(name: string, configuration: object): string {
    const cwd = join(this.#folder, name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, "main.tf.json"), JSON.stringify(configuration));
    this.#run(cwd, "terraform init -input=false >/dev/null");
    return cwd;
  }

  time(cwd: string, command: string, env: Readonly<Record<string, string>>): Timing {
    return parseTiming(this.#run(cwd, timed(command), env));
  }

  #run(cwd: string, script: string, env: Readonly<Record<string, string>> = {}): string {
    const args = ["exec", "--dir", this.#mirror, "--", "bash", "-ec", `{ ${script}; } 2>&1`];
    return execFileSync(process.execPath, [this.#trivet, ...args], {
      cwd,
      env: { ...process.env, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }
}
