import { join, resolve } from "node:path";
import { commandEnvironment } from "../invocation/command-environment";
import { print, printJson } from "../invocation/failure";
import { ownPackage } from "../../core/process/package-root";
import { created } from "./created";
import { packageSource } from "./package-source";
import { packageVersions } from "./package-versions";
import { writeProject } from "./write-project";

/** The options of all commands that write a new project. */
export interface ProjectOptions {
  readonly package?: string;
  readonly json?: true;
}

/** The templates of a project, and the package of ours that they use. */
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
   * @throws CommandError when the project could not install this package
   */
  constructor(folder: string, templates: ProjectTemplates, options: ProjectOptions) {
    const { workingFolder } = commandEnvironment();
    const project = resolve(workingFolder, folder);
    const installed = ownPackage();
    this.#source = packageSource(options.package, { project, workingFolder, installed });
    this.#root = installed.root;
    this.#uses = templates.uses;
    this.folder = project;
    this.templates = join(installed.root, "templates", templates.folder);
    this.#workingFolder = workingFolder;
    this.#isJson = options.json === true;
  }

  /** The exact versions of the packages that it can depend on, and the source of ours. */
  get versions(): Readonly<Record<string, string>> {
    return { ...packageVersions(this.#root), [this.#uses]: this.#source };
  }

  /**
   * Writes it, and reports what was written.
   *
   * @param files their content, by their path in the project
   * @param chosen the user's choices, for the output as JSON
   * @param next the page to read next
   */
  async write(
    files: ReadonlyMap<string, string>,
    chosen: Readonly<Record<string, string | undefined>>,
    next: string,
  ): Promise<void> {
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
