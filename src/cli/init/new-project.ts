import { readFileSync } from "node:fs";
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { parseTrustedJson } from "../../core/json/plain-json";
import { ownPackage } from "../../core/process/package-root";
import { ifAbsent, systemErrorCode } from "../../core/process/system-error";
import type { Properties } from "../../core/json/plain-json";
import { commandEnvironment } from "../invocation/command-environment";
import { CommandError, print, printJson } from "../invocation/failure";
import { packageSource } from "./package-source";

/** The options of all commands that write a new project. */
export interface ProjectOptions {
  readonly package?: string;
  readonly json?: true;
}

/** The templates of a project, and our package that they use. */
interface ProjectTemplates {
  /** A folder in `templates/` of this package. */
  readonly folder: string;
  /** A package name, such as `@trivet/constructs`. */
  readonly uses: string;
}

/** A project to be written. */
export class NewProject {
  /** The absolute path of its folder. */
  readonly folder: string;
  /** The folder of its templates. */
  readonly templates: string;
  /** The dependency on our package for its `package.json`. */
  readonly #source: string;
  readonly #uses: string;
  readonly #root: string;
  readonly #workingFolder: string;
  readonly #isJson: boolean;

  /**
   * @param folder the folder as the user wrote it
   * @throws CommandError if the project could not install this package
   */
  constructor(folder: string, templates: ProjectTemplates, options: ProjectOptions) {
    const { workingFolder } = commandEnvironment();
    const project = resolve(workingFolder, folder);
    const installed = ownPackage();
    this.#source = packageSource(options.package, project, workingFolder, installed);
    this.#root = installed.root;
    this.#uses = templates.uses;
    this.folder = project;
    this.templates = join(installed.root, "templates", templates.folder);
    this.#workingFolder = workingFolder;
    this.#isJson = options.json === true;
  }

  /** The exact versions of the packages that it can depend on, and the source of our package. */
  get versions(): Readonly<Record<string, string>> {
    return { ...packageVersions(this.#root), [this.#uses]: this.#source };
  }

  /**
   * Writes the project, and prints what was written.
   *
   * @param files content by path in the project
   * @param chosen the user's choices, for the output as JSON
   * @param next what to read next
   */
  async write(files: ReadonlyMap<string, string>, chosen: Properties, next: string): Promise<void> {
    await writeProject(this.folder, files);
    const paths = [...files.keys()];
    if (this.#isJson) {
      printJson({ folder: this.folder, ...chosen, package: this.#source, files: paths });
      return;
    }
    print(created(this.folder, paths, this.#workingFolder));
    print(`\n${next}`);
  }
}

/**
 * Writes files into a folder, which is created if it does not exist.
 *
 * @param files content by path in the folder
 * @throws CommandError if one of them exists, and writes nothing then
 */
async function writeProject(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  try {
    const existing: string[] = [];
    for (const path of files.keys()) {
      if ((await lstat(join(folder, path)).catch(ifAbsent)) !== undefined) existing.push(path);
    }
    if (existing.length > 0) throw refusal(folder, existing);
    for (const [path, text] of files) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      // Fails if the file has appeared since.
      await writeFile(file, text, { flag: "wx" });
    }
  } catch (failure) {
    if (!(failure instanceof Error) || systemErrorCode(failure) === undefined) throw failure;
    throw new CommandError(
      `The project cannot be written to ${folder}: ${failure.message}.`,
      "Choose a folder that is writable, and that is empty or new.",
      undefined,
      { cause: failure },
    );
  }
}

function refusal(folder: string, existing: readonly string[]): CommandError {
  const many = existing.length > 1;
  return new CommandError(
    `${folder} already has ${many ? "files" : "a file"} of the project: ${existing.join(", ")}.`,
    `Choose an empty folder, or move ${many ? "these files" : "the file"} away. Nothing was written.`,
  );
}

/** Returns the message with the files of a written project and the next steps. */
function created(project: string, paths: readonly string[], workingFolder: string): string {
  const into = relative(workingFolder, project);
  const next = [...(into === "" ? [] : [`cd ${into}`]), "npm install", "npm test"];
  const listed = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");
  return `Created in ${project}:\n${listed(paths)}\n\nNext:\n${listed(next)}`;
}

/**
 * Returns the exact versions of the packages that a new project can depend on, by name. The build writes the versions with
 * which this package is developed and tested.
 */
function packageVersions(root: string): Readonly<Record<string, string>> {
  const file = join(root, "dist", "src", "cli", "init", "versions.json");
  return parseTrustedJson(readFileSync(file, "utf8")) as Readonly<Record<string, string>>;
}
