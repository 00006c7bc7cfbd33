import { cp, lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { parsedJson, propertiesOf } from "../../json/plain-json";
import { readReport } from "../app-process/app-report";
import { exists } from "../invocation/command-environment";
import { CommandError } from "../invocation/command-error";
import { manifestFile, readManifest, type Stack } from "../synthesis/manifest";
import type { Project } from "../synthesis/project";
import { isDone, type StackResult } from "./stack-result";

const version = 1;
const planName = "trivet.tfplan";

/**
 * A folder with the plans of stacks, and with what Terraform needs to apply them: the configurations and the locked
 * providers. It contains secrets.
 */
export class PlanFolder {
  /** Its path. */
  readonly folder: string;
  readonly #project: Project;

  /** @param folder relative to the project */
  constructor(folder: string, project: Project) {
    this.folder = resolve(project.folder, folder);
    this.#project = project;
  }

  /** Returns the path of a stack's plan. */
  fileOf(stack: Stack): string {
    return join(this.#savedFolder(stack), planName);
  }

  /**
   * Removes earlier plans, and makes room for those of stacks.
   *
   * @throws CommandError if something else is in the folder
   */
  async begin(stacks: readonly Stack[]): Promise<void> {
    const entries = await readdir(this.folder).catch(() => []);
    if (entries.length > 0 && !(await exists(this.#index))) {
      throw new CommandError(
        `${this.folder} is not empty, and has no saved plans.`,
        "Name a new folder for --out.",
      );
    }
    await this.#clear();
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(join(this.folder, ".gitignore"), "*\n");
    // So that an interrupted command does not leave a folder that is refused next time.
    await this.#writeIndex({});
    for (const stack of stacks) {
      await mkdir(this.#savedFolder(stack), { recursive: true, mode: 0o700 });
      // Terraform keeps the permissions.
      await writeFile(this.fileOf(stack), "", { mode: 0o600 });
    }
  }

  /** Completes the folder. If a stack was not planned, nothing is kept: the plans belong together. */
  async end(stacks: readonly Stack[], results: readonly StackResult[]): Promise<boolean> {
    if (!results.every(isDone) || results.length === 0) {
      await this.#clear();
      return false;
    }
    await cp(manifestFile(this.#project), join(this.folder, basename(this.#manifest)));
    for (const stack of stacks) await copyStack(stack.folder, this.#savedFolder(stack));
    const outcomes = Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]));
    await this.#writeIndex({ stacks: outcomes, positions: stacks[0]?.positions ?? {} });
    return true;
  }

  /**
   * Puts the configurations where they were planned, in place of synthesized ones.
   *
   * @returns the stacks that were planned
   * @throws CommandError if the folder has no plans
   */
  async restore(): Promise<readonly Stack[]> {
    const text = await readFile(this.#index, "utf8").catch(() => "");
    const index = propertiesOf(parsedJson(text));
    if (index["version"] !== version || !("stacks" in index)) {
      throw new CommandError(
        `There are no complete plans of this version of trivet in ${this.folder}.`,
        "`trivet plan --out` saves plans.",
      );
    }
    await mkdir(resolve(this.#project.folder, this.#project.output), { recursive: true });
    await cp(join(this.folder, basename(this.#manifest)), this.#manifest);
    const { positions } = await readReport(this.#index);
    const planned = propertiesOf(index["stacks"]);
    const stacks = (await readManifest(this.#project, positions)).filter(
      ({ name }) => planned[name] === "planned",
    );
    for (const stack of stacks) {
      await clearStack(stack.folder);
      await copyStack(this.#savedFolder(stack), stack.folder);
    }
    return stacks;
  }

  get #index(): string {
    return join(this.folder, "trivet-plans.json");
  }

  get #manifest(): string {
    return manifestFile(this.#project);
  }

  #savedFolder({ folder }: Stack): string {
    const output = resolve(this.#project.folder, this.#project.output);
    return join(this.folder, relative(output, folder));
  }

  async #writeIndex(content: object): Promise<void> {
    await writeFile(this.#index, JSON.stringify({ version, ...content }), { mode: 0o600 });
  }

  async #clear(): Promise<void> {
    for (const entry of await readdir(this.folder).catch(() => [])) {
      await rm(join(this.folder, entry), { recursive: true, force: true });
    }
  }
}

const isInstalled = (name: string): boolean => name === ".terraform";

/** Copies the files of a stack, without its plan and what `terraform init` installs. */
async function copyStack(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (isInstalled(name) || name === planName) continue;
    await cp(join(from, name), join(to, name), { recursive: true, filter: isOrdinary });
  }
}

/** Empties the folder of a stack, but for what `terraform init` has installed. */
async function clearStack(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!isInstalled(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Leaves out links and devices, which could point outside of the folder. */
const isOrdinary = async (path: string): Promise<boolean> => {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory();
};
