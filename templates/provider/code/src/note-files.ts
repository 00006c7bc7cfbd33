import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import {
  type FileHandle,
  link,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import { ProviderError } from "@trivet/provider-kit";
import { namePattern, nameRule } from "./declaration";

/** The largest file that is read, in bytes. Each text that a configuration can have is smaller. */
const maximumSize = 1_000_000;

/** Only regular files are read: a link could lead out of the folder, and a pipe could have no end. */
const readingFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The back end of the provider: the files in a folder. Replace it with a client for your service.
 *
 * Its methods throw a ProviderError when the user, or the machine, is to blame.
 */
export class NoteFiles {
  readonly #folder: string;

  /** @param folder absolute, or relative to the folder in which Terraform runs */
  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  /** The absolute path of a note's file. */
  pathOf(name: string): string {
    // Names in configurations and imports were checked. A state may have been edited manually.
    if (namePattern.test(name)) return join(this.#folder, `${name}.txt`);
    throw new ProviderError({
      summary: "Invalid Name Of A Note",
      detail: `The name is ${JSON.stringify(name)}, but it ${nameRule}.`,
      path: ["name"],
    });
  }

  /** Writes a new note. */
  async create(name: string, text: string, signal: AbortSignal): Promise<void> {
    const path = this.pathOf(name);
    try {
      // Unlike a renaming, a link never replaces a file.
      await this.#write(text, signal, (file) => link(file, path));
    } catch (cause) {
      if (!hasCode(cause, "EEXIST")) throw await this.#failure("create", path, cause);
      throw new ProviderError({
        summary: "Note Already Exists",
        detail: `There is a file ${path}. Import it: terraform import ADDRESS ${name}`,
        path: ["name"],
        cause,
      });
    }
  }

  /** Replaces the text of a note. */
  async update(name: string, text: string, signal: AbortSignal): Promise<void> {
    const path = this.pathOf(name);
    try {
      await this.#write(text, signal, (file) => rename(file, path));
    } catch (cause) {
      throw await this.#failure("write", path, cause);
    }
  }

  /** Returns the text of a note; undefined if it does not exist. */
  async read(name: string, signal: AbortSignal): Promise<string | undefined> {
    const path = this.pathOf(name);
    let file: FileHandle | undefined;
    try {
      file = await open(path, readingFlags);
      const found = await file.stat();
      if (!found.isFile()) throw unreadable(path, "it is not a regular file");
      if (found.size > maximumSize) {
        throw unreadable(path, `it has ${found.size} bytes, more than ${maximumSize}`);
      }
      return await file.readFile({ encoding: "utf8", signal });
    } catch (cause) {
      if (hasCode(cause, "ELOOP")) throw unreadable(path, "it is a symbolic link");
      // Without the folder, it is unknown whether the note exists.
      if (hasCode(cause, "ENOENT") && (await isFolder(this.#folder))) return undefined;
      throw await this.#failure("read", path, cause);
    } finally {
      await file?.close();
    }
  }

  /** Returns the names of all notes, in alphabetical order. */
  async names(): Promise<string[]> {
    try {
      const files = await readdir(this.#folder, { withFileTypes: true });
      return files
        .filter((file) => file.isFile() && file.name.endsWith(".txt"))
        .map(({ name }) => name.slice(0, -".txt".length))
        .filter((name) => namePattern.test(name))
        .sort();
    } catch (cause) {
      throw await this.#failure("list the notes of", this.#folder, cause);
    }
  }

  /** Removes a note, if there is one. */
  async delete(name: string): Promise<void> {
    const path = this.pathOf(name);
    try {
      await rm(path, { force: true });
    } catch (cause) {
      throw await this.#failure("remove", path, cause);
    }
  }

  /** Writes a text to a file that `put` gives its name, so that no note is ever half written. */
  async #write(
    text: string,
    signal: AbortSignal,
    put: (file: string) => Promise<void>,
  ): Promise<void> {
    const file = join(this.#folder, `.${randomUUID()}.tmp`);
    try {
      await writeFile(file, text, { flag: "wx", flush: true, signal });
      await put(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  /** What to throw for a failure of the file system. Anything else would be a bug, and stays as it is. */
  async #failure(verb: string, path: string, cause: unknown): Promise<unknown> {
    if (cause instanceof ProviderError || !isSystemError(cause)) return cause;
    if (!(await isFolder(this.#folder))) {
      return new ProviderError({
        summary: "Folder Of The Notes Does Not Exist",
        detail: `There is no folder ${this.#folder}. Create it, or name another one in the provider's settings.`,
        cause,
      });
    }
    return new ProviderError({
      summary: "Note Not Accessible",
      detail: `The provider cannot ${verb} ${path}: ${cause.message}.`,
      cause,
    });
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

/** Node.js's own errors are no instances of `Error` in Jest, which has another one. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof error === "object" && error !== null && "syscall" in error && "code" in error;

const hasCode = (error: unknown, code: string): boolean =>
  isSystemError(error) && error.code === code;

const unreadable = (path: string, why: string): ProviderError =>
  new ProviderError({
    summary: "Note Not Readable",
    detail: `${path} is not a note: ${why}. Move it away.`,
  });
