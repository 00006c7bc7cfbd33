import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, type Started, startCommand, succeeded } from "./command";
import { installation } from "./installation";
import { outliving, providerProcesses } from "./provider-processes";
import type { Tool } from "./tool";

interface ResourceState {
  readonly address: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly tainted?: boolean;
}

interface Module {
  readonly resources?: readonly ResourceState[];
  readonly child_modules?: readonly Module[];
}

/** A folder with a configuration, and the tool that runs in it. */
export class Workspace {
  readonly #base = mkdtempSync(join(tmpdir(), "trivet-e2e-work-"));
  readonly folder = join(this.#base, "work");
  /** The folder in which the tool runs, which can be a different one. */
  directory = this.folder;
  readonly env: NodeJS.ProcessEnv;

  constructor(
    readonly tool: Tool,
    env: NodeJS.ProcessEnv = {},
  ) {
    const home = join(this.#base, "home");
    for (const folder of [home, this.folder]) mkdirSync(folder);
    this.env = {
      PATH: process.env["PATH"],
      HOME: home,
      XDG_STATE_HOME: join(this.#base, "state"),
      TF_CLI_CONFIG_FILE: installation().cliConfiguration,
      TF_CLI_ARGS: "-no-color",
      TF_INPUT: "0",
      CHECKPOINT_DISABLE: "1",
      ...env,
    };
  }

  write(configuration: string, file = "main.tf"): void {
    writeFileSync(join(this.folder, file), configuration);
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
    return startCommand(this.tool, args, { cwd: this.directory, env: { ...this.env, ...env } });
  }

  /** Runs the tool, which may fail. */
  attempt(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(args, env).ended;
  }

  /** Runs the tool, which must succeed. */
  run(...args: readonly string[]): Promise<Ended> {
    return succeeded(`${this.tool} ${args.join(" ")}`, this.start(args));
  }

  init(...args: readonly string[]): Promise<Ended> {
    return this.run("init", ...args);
  }

  apply(...args: readonly string[]): Promise<Ended> {
    return this.run("apply", "-auto-approve", ...args);
  }

  /** Whether a plan would change something. */
  async plansChanges(...args: readonly string[]): Promise<boolean> {
    const { code, output } = await this.attempt(["plan", "-detailed-exitcode", ...args]);
    if (code !== 0 && code !== 2) throw new Error(`${this.tool} plan failed:\n${output}`);
    return code === 2;
  }

  /** The resources of the state by their addresses. */
  async state(): Promise<ReadonlyMap<string, ResourceState>> {
    const { stdout } = await this.run("show", "-json");
    const { values } = JSON.parse(stdout) as { values?: { root_module: Module } };
    const all = values === undefined ? [] : resourcesIn(values.root_module);
    return new Map(all.map((resource) => [resource.address, resource]));
  }

  /** The PIDs of providers that this folder's commands have left running. */
  processes(): readonly number[] {
    return providerProcesses(this.#base);
  }

  /** Waits until they have ended. Kills those that have not, and returns their PIDs. */
  outliving(): Promise<readonly number[]> {
    return outliving(this.#base);
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}

function resourcesIn({ resources = [], child_modules = [] }: Module): ResourceState[] {
  return [...resources, ...child_modules.flatMap(resourcesIn)];
}
