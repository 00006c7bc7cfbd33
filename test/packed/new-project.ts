import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand, succeeded, type Ended, type Started } from "../e2e/support/command";
import { compileOnlyChanges, packedProject } from "./packed-project";

const installed = new Map<string, string>();

/** The folder in which the packages of a library are installed. Projects below it share them. */
function packagesFor(library: string): string {
  const others = ["constructs", "typescript", "jest", "ts-jest", "@types/jest", "@types/node"];
  const found = installed.get(library);
  if (found !== undefined) return found;
  const folder = packedProject([library, ...others]);
  compileOnlyChanges(folder);
  installed.set(library, folder);
  return folder;
}

/** A project that `trivet init` writes, and whose scripts run as a user runs them. */
export class NewProject {
  readonly folder: string;
  readonly #parent: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(
    readonly kind: string,
    readonly library: string,
  ) {
    this.#parent = packagesFor(library);
    this.folder = join(this.#parent, kind);
    const home = join(this.#parent, `home-of-${kind}`);
    mkdirSync(home, { recursive: true });
    this.#env = {
      PATH: process.env["PATH"],
      HOME: home,
      TF_CLI_ARGS: "-no-color",
      npm_config_update_notifier: "false",
    };
  }

  /** Writes the project. */
  async write(): Promise<void> {
    const init = ["init", this.kind, this.kind, "--library", this.library];
    const options = { cwd: this.#parent, env: this.#env };
    await succeeded("trivet init", startCommand("npx", ["@trivet/constructs", ...init], options));
  }

  /** Runs a script of the project, which must succeed. */
  run(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return succeeded(`npm run ${script}`, this.start(script, args, env));
  }

  /** Runs a line of shell in the folder, which must succeed. */
  shell(line: string): Promise<Ended> {
    const options = { cwd: this.folder, env: this.#env };
    return succeeded(line, startCommand("sh", ["-c", line], options));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Starts a script of the project. */
  start(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Started {
    const options = { cwd: this.folder, env: { ...this.#env, ...env } };
    return startCommand("npm", ["run", script, "--", ...args], options);
  }

  /** Starts a script that serves until it is stopped, and returns the first match in its output. */
  async serve(
    script: string,
    args: readonly string[],
    ready: RegExp,
  ): Promise<{ readonly match: RegExpExecArray; readonly stop: () => Promise<void> }> {
    const { child, ended } = this.start(script, args);
    let output = "";
    const match = await new Promise<RegExpExecArray>((resolve, reject) => {
      child.stdout?.on("data", (data: Buffer) => {
        output += data.toString();
        const found = ready.exec(output);
        if (found !== null) resolve(found);
      });
      void ended.then((result) => {
        reject(new Error(`npm run ${script} ended too soon:\n${result.output}`));
      }, reject);
    });
    const stop = async (): Promise<void> => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      await ended;
    };
    return { match, stop };
  }
}
