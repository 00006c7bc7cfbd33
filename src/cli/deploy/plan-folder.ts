import { chmod, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { parsedJson, type Properties, propertiesOf } from "../../core/json/plain-json";
import { printable } from "../../core/redaction/printable";
import { readReport } from "../app-process/app-report";
import { CommandError } from "../invocation/failure";
import { manifestFile, readManifest, type Stack } from "../synthesis/manifest";
import type { Project } from "../synthesis/project";
import { OrdinaryFolder } from "./ordinary-folder";
import { type PlanOrigin, refuseOtherOrigin } from "./plan-origin";
import { isDone, type StackResult } from "./stack-result";

const version = 1;
const planName = "trivet.tfplan";
const indexName = "trivet-plans.json";
const ignoreName = ".gitignore";

/**
 * A folder with the plans of stacks, and with the configurations and lock files that Terraform needs to apply them. It contains
 * secrets.
 */
export class PlanFolder {
  /** Its path. */
  readonly folder: string;
  readonly #project: Project;
  readonly #origin: PlanOrigin;
  readonly #saved: OrdinaryFolder;
  readonly #output: OrdinaryFolder;

  /**
   * @param folder relative to the project
   * @param origin what the plans are made from or, to apply them, must have been made from
   */
  constructor(folder: string, project: Project, origin: PlanOrigin) {
    this.folder = resolve(project.folder, folder);
    this.#project = project;
    this.#origin = origin;
    this.#saved = new OrdinaryFolder(this.folder, project.folder);
    const output = resolve(project.folder, project.output);
    this.#output = new OrdinaryFolder(output, project.folder);
  }

  /** Returns the path of a stack's plan. */
  fileOf(stack: Stack): string {
    return join(this.folder, this.#nameOf(stack), planName);
  }

  /**
   * Removes earlier plans, and prepares the files for new ones.
   *
   * @throws CommandError if the folder contains anything else
   */
  async begin(stacks: readonly Stack[]): Promise<void> {
    if ((await this.#saved.kindOf()) === undefined) {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
    } else {
      await this.#takeOver();
    }
    const plans = stacks.map((stack) => `${this.#nameOf(stack)}/${planName}`);
    // So that the next command accepts the folder if this one is interrupted.
    await this.#writeIndex({ files: [ignoreName, ...plans] });
    await this.#write(ignoreName, "*\n");
    // Terraform keeps the permissions.
    for (const plan of plans) await this.#write(plan, "");
  }

  /** Completes the folder or, if a stack was not planned, clears it: the plans belong together. */
  async end(stacks: readonly Stack[], results: readonly StackResult[]): Promise<boolean> {
    const { files: begun } = await this.#readIndex();
    if (!results.every(isDone) || results.length === 0) {
      await this.#clear(begun);
      return false;
    }
    const names = stacks.map((stack) => this.#nameOf(stack));
    const configurations = await Promise.all(
      names.map((name) => this.#output.files(name, isInstalled)),
    );
    const copied = [this.#manifest, ...configurations.flat()].filter(isNoPlan);
    const files = [...begun, ...copied];
    await this.#writeIndex({ files });
    for (const name of copied) await this.#output.copy(name, this.#saved);
    const outcomes = Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]));
    const positions = stacks[0]?.positions ?? {};
    await this.#writeIndex({ files, ...this.#origin, stacks: outcomes, positions });
    return true;
  }

  /**
   * Copies the configurations to where they were planned, in place of synthesized ones.
   *
   * @returns the stacks that were planned
   * @throws CommandError if the folder has no plans, or plans of another origin
   */
  async restore(): Promise<readonly Stack[]> {
    const { index, files } = await this.#readIndex();
    if (index["version"] !== version || !("stacks" in index)) {
      throw this.#incomplete();
    }
    refuseOtherOrigin(this.folder, index, this.#origin);
    await this.#saved.copy(this.#manifest, this.#output);
    const { positions } = await readReport(this.#index);
    const planned = propertiesOf(index["stacks"]);
    const stacks = (await readManifest(this.#project, positions)).filter(
      ({ name }) => planned[name] === "planned",
    );
    for (const stack of stacks) {
      const name = this.#nameOf(stack);
      if ((await this.#saved.kindOf(`${name}/${planName}`)) !== "file") throw this.#incomplete();
      await this.#output.empty(name, isInstalled);
      for (const file of files.filter((each) => each.startsWith(`${name}/`) && isNoPlan(each))) {
        await this.#saved.copy(file, this.#output);
      }
    }
    return stacks;
  }

  #incomplete(): CommandError {
    return new CommandError(
      `${this.folder} does not contain complete plans of this version of trivet.`,
      "Save plans with `trivet plan --out`.",
    );
  }

  get #index(): string {
    return join(this.folder, indexName);
  }

  get #manifest(): string {
    return basename(manifestFile(this.#project));
  }

  /** The name of a stack's folder, here and in the output. */
  #nameOf({ folder }: Stack): string {
    return relative(this.#output.path, folder).replaceAll(sep, "/");
  }

  /** Removes earlier plans, and makes sure that nobody else can add files. */
  async #takeOver(): Promise<void> {
    const { uid } = await lstat(this.folder);
    if (process.getuid !== undefined && uid !== process.getuid()) {
      throw new CommandError(
        `${this.folder} belongs to another user, who could replace the plans.`,
        "Choose a new folder for --out.",
      );
    }
    const { files } = await this.#readIndex();
    await this.#clear(files);
    await this.#refuseForeign(files.length > 0);
    await chmod(this.folder, 0o700);
    // Until now, others may have been able to add files.
    await this.#refuseForeign(true);
  }

  async #refuseForeign(hadPlans: boolean): Promise<void> {
    const [foreign] = await readdir(this.folder);
    if (foreign === undefined) return;
    throw new CommandError(
      hadPlans
        ? `${this.folder} contains other files than saved plans: ${printable(foreign)}.`
        : `${this.folder} is not empty, and contains no saved plans.`,
      "Choose a new folder for --out.",
    );
  }

  async #readIndex(): Promise<{ index: Properties; files: readonly string[] }> {
    const isFile = (await this.#saved.kindOf(indexName)) === "file";
    const index = propertiesOf(parsedJson(isFile ? await readFile(this.#index, "utf8") : ""));
    const { files } = index;
    const names = Array.isArray(files) ? files : [];
    return { index, files: names.filter((name) => typeof name === "string") };
  }

  async #writeIndex(content: object): Promise<void> {
    await this.#write(indexName, JSON.stringify({ version, ...content }));
  }

  async #write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
  }

  async #clear(files: readonly string[]): Promise<void> {
    for (const name of [...files, indexName]) await this.#saved.remove(name);
  }
}

/** What `terraform init` installs. */
const isInstalled = (entry: string): boolean => entry === ".terraform";

const isNoPlan = (name: string): boolean => basename(name) !== planName;
