import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { terraformPlatform } from "../src/cli/package/platform";
import { parseTiming, timed, type Timing } from "./time-command";
import { WarmTerraform } from "./warm-terraform";

/** An entry of `required_providers`. */
export interface RequiredProvider {
  readonly source: string;
  readonly version: string;
}

/** An executable, and the version under which it is installed. */
export interface InstalledExecutable {
  readonly executable: string;
  readonly version: string;
}

/** Runs Terraform with the packaged providers, installed and locked as by users. */
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

  /**
   * Installs another executable, and returns what `required_providers` needs for it.
   *
   * @param source its address, such as `trivet.local/peer/ids-twin`
   */
  install(source: string, { executable, version }: InstalledExecutable): RequiredProvider {
    const folder = join(this.#mirror, ...source.split("/"), version, terraformPlatform());
    mkdirSync(folder, { recursive: true });
    const installed = join(folder, `terraform-provider-${basename(source)}_v${version}`);
    copyFileSync(executable, installed);
    chmodSync(installed, 0o755);
    return { source, version };
  }

  /** Initialises a configuration and returns its folder. */
  prepare(name: string, configuration: object): string {
    const cwd = join(this.#folder, name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, "main.tf.json"), JSON.stringify(configuration));
    this.#run(cwd, "terraform init -input=false >/dev/null");
    return cwd;
  }

  /** Starts a `trivet exec --warm` that runs commands until it is closed. */
  startWarm(): WarmTerraform {
    return new WarmTerraform([this.#trivet, "exec", "--warm", "--dir", this.#mirror]);
  }

  time(cwd: string, command: string, env: Readonly<Record<string, string>>): Timing {
    return parseTiming(this.#run(cwd, timed(command), env));
  }

  #run(cwd: string, script: string, env: Readonly<Record<string, string>> = {}): string {
    const args = ["exec", "--dir", this.#mirror, "--", "bash", "-ec", `{ ${script}; } 2>&1`];
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.#trivet, ...args], {
      cwd,
      env: { ...process.env, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (status !== 0) throw new Error(`"${script}" failed:\n${stdout}${stderr}`);
    return stdout;
  }
}
