import { randomUUID } from "node:crypto";
import { chmod, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../../core/process/files";
import { ifAbsent } from "../../../core/process/system-error";
import { listOf, objectOf, stringOf, stringsOf } from "../terraform/json-value";
import type { Transition, KnownTemplate } from "./build-request";
import { isPlatformName } from "../view/association";
import type { PlatformReading } from "../view/platform-view";
import { localPlatformError, type LocalPlatformError } from "../terraform/local-platform-error";
import { isObject, parsedJson } from "../../../core/json/plain-json";

/** The data about a workspace that the platform saves between builds. */
export interface WorkspaceRecord {
  readonly name: string;
  /** Random ID, which differs if a workspace is deleted and created again with the same name. */
  readonly made: string;
  readonly owner: string;
  /** True for a prebuild that has not been claimed yet. */
  readonly isPrebuild: boolean;
  /** The values in the last build, including defaults but not ephemeral parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The names of the parameters whose values are shown only on request. */
  readonly masked: readonly string[];
  readonly task: { readonly id: string; readonly prompt: string } | undefined;
}

/** What the last build of a workspace left, unless it failed. */
export interface LastBuild extends Pick<PlatformReading, "view" | "secrets"> {
  readonly transition: Transition;
}

const fileFormat = "trivet local workspace, version 1";
// All files may contain secrets.
const stateFolderMode = 0o700;
const fileMode = 0o600;

/** The folder for state: one subfolder for each workspace, and a seed for placeholder data. */
export class StateFolder {
  constructor(readonly path: string) {}

  /** Creates the seed on first use. Placeholder data stays the same as long as the seed does. */
  async seed(): Promise<string> {
    const file = join(this.path, "platform.json");
    const known = await readOptional(file);
    if (known !== undefined) {
      const { format, seed } = objectOf(parsedJson(known));
      if (format !== fileFormat || stringOf(seed) === "") throw foreign(file);
      return stringOf(seed);
    }
    await this.#claimFolder();
    const seed = randomUUID();
    await this.#write(file, JSON.stringify({ format: fileFormat, seed }));
    return seed;
  }

  /**
   * Returns the last imported template. Undefined if it cannot be read: it is then imported again.
   *
   * @param name returns the template of the last build of this workspace
   */
  async template(name?: string): Promise<KnownTemplate | undefined> {
    const kept = await readKept(this.#templateFile(name));
    return isTemplate(kept) ? kept : undefined;
  }

  async saveTemplate(template: KnownTemplate, name?: string): Promise<void> {
    await this.#write(this.#templateFile(name), keptText(template));
  }

  #templateFile(name: string | undefined): string {
    return join(name === undefined ? this.path : this.workspaceFolder(name), "template.json");
  }

  workspaceFolder(name: string): string {
    return join(this.path, "workspaces", encodeURIComponent(name));
  }

  stateFile(name: string): string {
    return join(this.workspaceFolder(name), "terraform.tfstate");
  }

  /** The folder with the template of the last build. */
  keptTemplate(name: string): string {
    return join(this.workspaceFolder(name), "template");
  }

  /** Returns undefined for a workspace that was never built, or whose last build failed. */
  async lastBuild(name: string): Promise<LastBuild | undefined> {
    const kept = await readKept(this.#lastBuildFile(name));
    return isBuild(kept) ? kept : undefined;
  }

  async saveLastBuild(name: string, build: LastBuild | undefined): Promise<void> {
    if (build === undefined) await rm(this.#lastBuildFile(name), { force: true });
    else await this.#write(this.#lastBuildFile(name), keptText(build));
  }

  #lastBuildFile(name: string): string {
    return join(this.workspaceFolder(name), "build.json");
  }

  /** Returns the names of all workspaces, in alphabetical order. */
  async workspaceNames(): Promise<readonly string[]> {
    const folders = await readdir(join(this.path, "workspaces")).catch(() => []);
    return listOf(folders).map(stringOf).filter(isPlatformName).sort();
  }

  async workspace(name: string): Promise<WorkspaceRecord | undefined> {
    const file = join(this.workspaceFolder(name), "workspace.json");
    const text = await readOptional(file);
    if (text === undefined) return undefined;
    const record = objectOf(parsedJson(text));
    if (record["format"] !== fileFormat) throw foreign(file);
    const task = objectOf(record["task"]);
    return {
      name,
      made: stringOf(record["made"]),
      owner: stringOf(record["owner"]),
      isPrebuild: record["isPrebuild"] === true,
      parameters: stringsOf(record["parameters"]),
      masked: listOf(record["masked"]).map(stringOf),
      task:
        stringOf(task["id"]) === ""
          ? undefined
          : { id: stringOf(task["id"]), prompt: stringOf(task["prompt"]) },
    };
  }

  async saveWorkspace(record: WorkspaceRecord): Promise<void> {
    const file = join(this.workspaceFolder(record.name), "workspace.json");
    await this.#write(file, JSON.stringify({ format: fileFormat, ...record }, undefined, 2));
  }

  async removeWorkspace(name: string): Promise<void> {
    await rm(this.workspaceFolder(name), { recursive: true, force: true });
  }

  /** Returns Terraform's state after the last build; undefined if there is no state. */
  async state(name: string): Promise<string | undefined> {
    return await readOptional(this.stateFile(name));
  }

  async saveState(name: string, text: string): Promise<void> {
    await this.#write(this.stateFile(name), text);
  }

  /** Rejects a folder that contains other files, and restricts access to the folder. */
  async #claimFolder(): Promise<void> {
    const entries = await readdir(this.path).catch(() => []);
    const others = listOf(entries).filter((name) => name !== "lock" && name !== "workspaces");
    if (others.length > 0) {
      throw localPlatformError("FOLDER", `The folder for state ${this.path} is not empty.`, {
        advice: "Choose an empty folder, or one that does not exist.",
      });
    }
    await chmod(this.path, stateFolderMode);
  }

  /** Writes atomically, readable only by the file's owner. */
  async #write(file: string, text: string): Promise<void> {
    const content = text.endsWith("\n") ? text : `${text}\n`;
    await writeFileAtomically(file, content, { mode: fileMode, folderMode: stateFolderMode });
  }
}

/** The format of files that can be made again. It changes with their types. */
const keptFormat = `${fileFormat}, content 2`;

const keptText = (kept: object): string =>
  JSON.stringify({ format: keptFormat, ...kept }, undefined, 2);

const readKept = async (file: string): Promise<unknown> =>
  parsedJson((await readOptional(file)) ?? "");

const isKept = (value: unknown): boolean => isObject(value) && value["format"] === keptFormat;

const isTemplate = (value: unknown): value is KnownTemplate => isKept(value);

const isBuild = (value: unknown): value is LastBuild => isKept(value);

const readOptional = async (file: string): Promise<string | undefined> =>
  await readFile(file, "utf8").catch(ifAbsent);

function foreign(file: string): LocalPlatformError {
  return localPlatformError(
    "FOLDER",
    `${file} was not written by this version of the local platform.`,
    { advice: "Choose another folder for state, or move this one away to start again." },
  );
}
