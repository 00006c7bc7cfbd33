import { copyFile, lstat, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { ifAbsent } from "../../core/process/system-error";
import { CommandError } from "../invocation/failure";

/** A folder whose content is used only if no link is on the way: a link could lead out of it. */
export class OrdinaryFolder {
  readonly #base: string;
  /** Its path in the base. From there on, nothing may be a link. */
  readonly #parts: readonly string[];

  /** @param project links above this folder, or above the folder itself if it is elsewhere, are the user's own */
  constructor(
    readonly path: string,
    project: string,
  ) {
    const parts = relative(project, path).split(sep);
    const isElsewhere = parts[0] === ".." || parts[0] === "";
    this.#base = isElsewhere ? dirname(path) : project;
    this.#parts = relative(this.#base, path).split(sep);
  }

  /**
   * Returns what a name refers to; undefined if it does not exist.
   *
   * @param name relative, with slashes; empty for the folder itself
   * @throws CommandError if it is a link or something else that is not ordinary, or is behind a link
   */
  async kindOf(name = ""): Promise<"file" | "folder" | undefined> {
    let path = this.#base;
    let kind: "file" | "folder" = "folder";
    for (const part of [...this.#parts, ...partsOf(name)]) {
      if (kind === "file") return undefined;
      path = join(path, part);
      const found = await lstat(path).catch(ifAbsent);
      if (found === undefined) return undefined;
      if (!found.isDirectory() && !found.isFile()) {
        const what = found.isSymbolicLink() ? "a link" : "not a file or folder";
        throw new CommandError(
          `${path} is ${what}.`,
          "Replace it with an ordinary file or folder, or remove it.",
        );
      }
      kind = found.isDirectory() ? "folder" : "file";
    }
    return kind;
  }

  /** Lists all ordinary files below a folder, by their names in this one. */
  async files(name = "", isLeftOut?: (entry: string) => boolean): Promise<readonly string[]> {
    if ((await this.kindOf(name)) !== "folder") return [];
    const found: string[] = [];
    for (const entry of await readdir(join(this.path, name), { withFileTypes: true })) {
      if (isLeftOut?.(entry.name) === true) continue;
      const below = name === "" ? entry.name : `${name}/${entry.name}`;
      if (entry.isFile()) found.push(below);
      if (entry.isDirectory()) found.push(...(await this.files(below)));
    }
    return found;
  }

  /** Copies an ordinary file to the same name in another folder, and replaces what is there. */
  async copy(name: string, to: OrdinaryFolder): Promise<void> {
    if ((await this.kindOf(name)) !== "file") return;
    const target = join(to.path, name);
    await to.kindOf(dirname(name) === "." ? "" : dirname(name));
    await mkdir(dirname(target), { recursive: true });
    await rm(target, { recursive: true, force: true });
    await copyFile(join(this.path, name), target);
  }

  /** Removes an ordinary file, and the folders that become empty. */
  async remove(name: string): Promise<void> {
    if ((await this.kindOf(name)) !== "file") return;
    let path = join(this.path, name);
    await rm(path);
    while ((path = dirname(path)) !== this.path && (await readdir(path)).length === 0) {
      await rmdir(path);
    }
  }

  /** Empties a folder, except for entries that are kept. */
  async empty(name: string, isKept: (entry: string) => boolean): Promise<void> {
    if ((await this.kindOf(name)) !== "folder") return;
    for (const entry of await readdir(join(this.path, name))) {
      if (!isKept(entry)) await rm(join(this.path, name, entry), { recursive: true, force: true });
    }
  }
}

/** @throws CommandError if the name could lead out of a folder */
function partsOf(name: string): readonly string[] {
  const parts = name === "" ? [] : name.split("/");
  if (parts.every((part) => !["", ".", ".."].includes(part) && !/[\\\0]/.test(part))) return parts;
  throw new CommandError(
    `The saved plans refer to a file outside of their folder: ${JSON.stringify(name)}.`,
    "Save new plans with `trivet plan --out`.",
  );
}
