import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isForeign } from "../../core/process/file-owner";

/** Finds the project of a file, in the folders that an editor has opened and never above them: projects are run. */
export class ProjectFolders {
  readonly #roots: readonly string[];

  /** @param roots the folders that the editor has opened */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** Returns the nearest folder above a file that has a cdktf.json. */
  of(path: string): string | undefined {
    for (let folder = dirname(path); this.#isOpened(folder); folder = dirname(folder)) {
      if (existsSync(join(folder, "cdktf.json"))) return folder;
      if (folder === dirname(folder)) return undefined;
    }
    return undefined;
  }

  #isOpened(folder: string): boolean {
    return this.#roots.some((root) => {
      const [first] = relative(root, folder).split(sep);
      return first !== "..";
    });
  }
}

/** Says why a project is not run: another user could have put it there. Undefined if it is run. */
export function foreignProject(folder: string): string | undefined {
  const foreign = [folder, join(folder, "cdktf.json")].find(isForeign);
  return foreign === undefined
    ? undefined
    : `${foreign} belongs to another user, so the project is not checked: a check runs its app. Copy the project to ` +
        "a folder of your own, or change the owner.";
}
