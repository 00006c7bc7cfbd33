import { randomUUID } from "node:crypto";
// Not "node:fs/promises", which takes several milliseconds to load: `promises` loads it on first use.
import { constants, promises as files, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, parsedJson } from "../../../json/plain-json";
import { writeFileAtomically } from "../../../process/files";
import { hasCode, ifAbsent } from "../../../process/system-error";
import {
  type ChangeIndex,
  checkWritten,
  type EndedCheck,
  indexName,
  layoutError,
  type LayoutFiles,
  maxIndexBytes,
  onFiles,
  onStream,
  readPart,
  readStream,
  tooLarge,
  versionName,
  versionText,
  writeStream,
} from "./layout-files";

/** What is done under the lock takes milliseconds. An older lock is left over from a process that was killed. */
const staleMs = 30_000;
const waitMs = 20;

/**
 * Runs work while no other process does, by a file that exists meanwhile. Ends the wait when the lock is stale.
 *
 * @param check throws once the call has ended
 * @returns undefined if the path has something other than a file, which nobody has left as a lock
 */
async function withFileLock<T>(
  path: string,
  check: () => void,
  work: () => Promise<T>,
): Promise<T | undefined> {
  let seen = { modifiedMs: Number.NaN, since: 0 };
  while (!(await created(path))) {
    // Not what a link leads to: that may be missing, or anywhere.
    const found = await files.lstat(path).catch(ifAbsent);
    if (found?.isFile() === false) return undefined;
    const modifiedMs = found?.mtimeMs ?? Number.NaN;
    if (modifiedMs !== seen.modifiedMs) seen = { modifiedMs, since: Date.now() };
    // The clock of a file server can be ahead, so how long it was seen counts, too.
    const isStale = Date.now() - Math.min(modifiedMs, seen.since) > staleMs;
    if (isStale && found !== undefined) await removeStale(path, found);
    check();
    await sleep(waitMs * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await files.rm(path, { force: true });
  }
}

/** Removes a lock that was left over, unless another process has replaced it in the meantime. */
async function removeStale(path: string, { ino, mtimeMs }: Stats): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  const moved = await files.rename(path, aside).then(() => files.lstat(aside), ifAbsent);
  if (moved === undefined) return;
  const isOther = moved.ino !== ino || moved.mtimeMs !== mtimeMs;
  // A link, unlike a new name, replaces nothing.
  if (isOther) await files.link(aside, path).catch(() => undefined);
  await files.rm(aside, { force: true });
}

async function created(path: string): Promise<boolean> {
  try {
    await (await files.open(path, "wx")).close();
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

const maxVersionBytes = 4_096;

/** An image layout in a folder. Links in it are not followed: they could lead out of it. */
export class LayoutFolder implements LayoutFiles {
  readonly #path: string;
  readonly #label: string;

  /** @param label how messages name it */
  constructor(path: string, label: string) {
    this.#label = label;
    this.#path = resolve(path);
  }

  read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    return onFiles(this.#label, "read", async () => {
      if (!(await this.#isLayout())) return undefined;
      return this.#readFile(name, maxBytes);
    });
  }

  sizeOf(name: string): Promise<number | undefined> {
    return onFiles(this.#label, "read", async () => {
      const opened = (await this.#isLayout()) ? await this.#openFile(name) : undefined;
      await opened?.file.close();
      return opened?.size;
    });
  }

  async *stream(name: string): AsyncGenerator<Uint8Array> {
    const opened = await onFiles(this.#label, "read", () => this.#openFile(name));
    if (opened === undefined) throw layoutError(this.#label, `has no ${name}`);
    try {
      yield* onStream(this.#label, readStream(opened.file, 0, opened.size));
    } finally {
      await opened.file.close();
    }
  }

  write(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    return onFiles(this.#label, "written", async () => {
      await this.#prepare();
      const target = join(this.#path, name);
      const temporary = join(this.#path, `.${randomUUID()}.tmp`);
      try {
        const file = await files.open(temporary, "wx", 0o644);
        try {
          checkWritten(name, size, await writeStream(file, content));
          // What exists is not written again, so it must survive a power failure.
          await file.sync();
        } finally {
          await file.close();
        }
        await this.#makeFolder(dirname(target));
        await files.rename(temporary, target);
      } catch (error) {
        await files.rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    });
  }

  updateIndex(change: ChangeIndex, check: EndedCheck): Promise<boolean> {
    return onFiles(this.#label, "written", async () => {
      await this.#prepare();
      const lockName = `.${indexName}.lock`;
      const isChanged = await withFileLock(join(this.#path, lockName), check, async () => {
        const bytes = change(await this.#readFile(indexName, maxIndexBytes));
        if (bytes === undefined) return false;
        await writeFileAtomically(join(this.#path, indexName), bytes, { isSynced: true });
        return true;
      });
      if (isChanged !== undefined) return isChanged;
      throw layoutError(this.#label, `has something other than a file at ${lockName}: remove it`);
    });
  }

  async #readFile(name: string, maxBytes: number): Promise<Buffer | undefined> {
    const opened = await this.#openFile(name);
    if (opened === undefined) return undefined;
    try {
      if (opened.size > maxBytes) throw tooLarge(this.#label, name, maxBytes);
      return await readPart(opened.file, 0, opened.size);
    } finally {
      await opened.file.close();
    }
  }

  /** Checks for a layout; false if nothing exists at the path. */
  async #isLayout(): Promise<boolean> {
    const text = await this.#readFile(versionName, maxVersionBytes);
    const version = text === undefined ? undefined : parsedJson(text.toString());
    if (isObject(version) && version["imageLayoutVersion"] === "1.0.0") return true;
    if (text !== undefined) throw layoutError(this.#label, "has a version other than 1.0.0");
    const names = await files.readdir(this.#path).catch((error: unknown) => {
      if (hasCode(error, "ENOENT")) return [];
      if (!hasCode(error, "ENOTDIR")) throw error;
      throw layoutError(this.#label, "is a file, not a folder: write oci-archive: for an archive");
    });
    // Another process may be making the layout.
    const others = names.filter((name) => !name.endsWith(".tmp"));
    if (others.includes(versionName)) return this.#isLayout();
    if (others.length === 0) return false;
    throw layoutError(
      this.#label,
      `is not an image layout: it has files, but no ${versionName}; use an empty or a new folder`,
    );
  }

  /** Makes an empty layout, unless there is one. */
  async #prepare(): Promise<void> {
    if (await this.#isLayout()) return;
    // Also complete if it is interrupted here.
    await writeFileAtomically(join(this.#path, versionName), versionText);
  }

  async #makeFolder(folder: string): Promise<void> {
    await files.mkdir(folder, { recursive: true });
    await this.#checkFolders(folder);
  }

  async #openFile(
    name: string,
  ): Promise<{ readonly file: FileHandle; readonly size: number } | undefined> {
    const path = join(this.#path, name);
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    let file: FileHandle;
    try {
      await this.#checkFolders(dirname(path));
      file = await files.open(path, flags);
    } catch (error) {
      if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
      if (hasCode(error, "ELOOP")) throw this.#isLink(name);
      throw error;
    }
    const about = await file.stat();
    if (about.isFile()) return { file, size: about.size };
    await file.close();
    throw layoutError(this.#label, `has something other than a file at ${name}`);
  }

  /** The folders between the layout and a file must be folders, not links. */
  async #checkFolders(folder: string): Promise<void> {
    for (let each = folder; each.length > this.#path.length; each = dirname(each)) {
      if ((await files.lstat(each)).isSymbolicLink()) throw this.#isLink(each);
    }
  }

  #isLink(name: string) {
    return layoutError(this.#label, `has a symbolic link at ${name}, which is not followed`);
  }
}
