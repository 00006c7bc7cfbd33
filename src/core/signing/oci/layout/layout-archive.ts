import { randomUUID } from "node:crypto";
import { constants, promises as files } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { ifAbsent } from "../../../process/system-error";
import { once } from "../registry/blobs";
import { RegistryError } from "../registry/registry-error";
import { TagLock } from "../registry/update-tag";
import {
  checkWritten,
  indexName,
  layoutError,
  maxIndexBytes,
  onFiles,
  onStream,
  readPart,
  readStream,
  tooLarge,
  untilEnded,
  versionName,
  versionText,
  writeAll,
  writeStream,
  type ChangeIndex,
  type EndedCheck,
  type LayoutFiles,
} from "./layout-files";
import { tarEnd, type TarEntry, tarEntries, tarHeader, tarPadding, isTarError } from "./tar";

/** A new version of an archive, which replaces it as a whole. */
interface Draft {
  readonly file: FileHandle;
  readonly path: string;
  end: number;
}

interface Version {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** An image layout in a tar archive without compression. */
export class LayoutArchive implements LayoutFiles {
  readonly #path: string;
  readonly #version: Version | undefined;
  readonly #lock = new TagLock();
  #entries: ReadonlyMap<string, TarEntry>;
  #mayWrite = false;
  #draft: Draft | undefined;
  /** Written last. */
  #index: Buffer | undefined;
  readonly #label: string;

  private constructor(
    path: string,
    label: string,
    entries: ReadonlyMap<string, TarEntry>,
    version?: Version,
  ) {
    this.#label = label;
    this.#path = resolve(path);
    this.#entries = entries;
    this.#version = version;
  }

  /** Opens an archive, which may not exist yet. */
  static open(path: string, label: string, check: EndedCheck): Promise<LayoutArchive> {
    return onFiles(label, "read", async () => {
      const file = await openArchive(path, label);
      if (file === undefined) return new LayoutArchive(path, label, new Map());
      try {
        const version = await file.stat();
        const entries = await tarEntries(file, version.size, check);
        if (entries.has(versionName)) return new LayoutArchive(path, label, entries, version);
        throw layoutError(label, `is not an image layout: the archive has no ${versionName}`);
      } catch (error) {
        throw isTarError(error) ? layoutError(label, error.message) : error;
      } finally {
        await file.close();
      }
    });
  }

  /** False if it was replaced, so that it must be opened again. What is being written is current. */
  isCurrent(): Promise<boolean> {
    return onFiles(this.#label, "read", async () => {
      return this.#mayWrite || isSame(await versionOf(this.#path), this.#version);
    });
  }

  beginWriting(): void {
    this.#mayWrite = true;
  }

  read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    if (name === indexName && this.#index !== undefined) return Promise.resolve(this.#index);
    const entry = this.#entries.get(name);
    if (entry === undefined) return Promise.resolve(undefined);
    return this.#onFile(async (file) => {
      if (entry.size > maxBytes) throw tooLarge(this.#label, name, maxBytes);
      return readPart(file, entry.offset, entry.size);
    });
  }

  sizeOf(name: string): Promise<number | undefined> {
    return Promise.resolve(this.#entries.get(name)?.size);
  }

  async *stream(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    const file =
      this.#draft?.file ??
      (await onFiles(this.#label, "read", () => openArchive(this.#path, this.#label)));
    if (entry === undefined || file === undefined) {
      throw layoutError(this.#label, `has no ${name}`);
    }
    try {
      yield* onStream(this.#label, readStream(file, entry.offset, entry.size));
    } finally {
      if (file !== this.#draft?.file) await file.close();
    }
  }

  write(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array>,
    check: EndedCheck,
  ): Promise<void> {
    // An archive has one end, so one blob is written after the other.
    return this.#lock.run("", () =>
      onFiles(this.#label, "written", async () => {
        const draft = await this.#begin(check);
        const entry = await append(draft, name, size, content);
        this.#entries = new Map(this.#entries).set(name, entry);
      }),
    );
  }

  updateIndex(change: ChangeIndex, check: EndedCheck): Promise<boolean> {
    return this.#lock.run("", async () => {
      const bytes = change(await this.read(indexName, maxIndexBytes));
      if (bytes === undefined) return false;
      await onFiles(this.#label, "written", () => this.#begin(check));
      this.#index = bytes;
      return true;
    });
  }

  /** Replaces the archive by what was written, if anything was. */
  finish(): Promise<void> {
    return onFiles(this.#label, "written", async () => {
      const draft = this.#draft;
      if (draft === undefined) return;
      const index = this.#index ?? Buffer.from('{"schemaVersion":2,"manifests":[]}');
      await append(draft, indexName, index.byteLength, once(index));
      await writeAll(draft.file, tarEnd, draft.end);
      // A blob that could not be written may have left a part.
      await draft.file.truncate(draft.end + tarEnd.byteLength);
      await draft.file.sync();
      if (!isSame(await versionOf(this.#path), this.#version)) {
        const message = `another process changed the layout ${this.#label} while it was written; try again`;
        throw new RegistryError("CONTENTION", message);
      }
      await files.rename(draft.path, this.#path);
    });
  }

  async discard(): Promise<void> {
    const draft = this.#draft;
    this.#draft = undefined;
    if (draft === undefined) return;
    await onFiles(this.#label, "written", async () => {
      await draft.file.close();
      await files.rm(draft.path, { force: true });
    });
  }

  /** Copies what exists to a new file, on the first write. */
  async #begin(check: EndedCheck): Promise<Draft> {
    if (this.#draft !== undefined) return this.#draft;
    if (!this.#mayWrite) {
      throw layoutError(this.#label, "is an archive, to which only images can be copied");
    }
    const index = await this.read(indexName, maxIndexBytes);
    const path = `${this.#path}.${randomUUID()}.tmp`;
    const draft: Draft = { file: await files.open(path, "wx+", 0o644), path, end: 0 };
    const kept = new Map<string, TarEntry>();
    try {
      const version = Buffer.from(versionText);
      kept.set(versionName, await append(draft, versionName, version.byteLength, once(version)));
      for (const [name, { size }] of this.#entries) {
        if (name === versionName || name === indexName) continue;
        kept.set(name, await append(draft, name, size, untilEnded(this.stream(name), check)));
      }
    } catch (error) {
      await draft.file.close();
      await files.rm(path, { force: true });
      throw error;
    }
    this.#entries = kept;
    this.#index = index;
    return (this.#draft = draft);
  }

  async #onFile<T>(run: (file: FileHandle) => Promise<T>): Promise<T> {
    return onFiles(this.#label, "read", async () => {
      if (this.#draft !== undefined) return run(this.#draft.file);
      const file = await openArchive(this.#path, this.#label);
      if (file === undefined) throw layoutError(this.#label, "was removed while it was read");
      try {
        return await run(file);
      } finally {
        await file.close();
      }
    });
  }
}

async function append(
  draft: Draft,
  name: string,
  size: number,
  content: AsyncIterable<Uint8Array>,
): Promise<TarEntry> {
  const header = tarHeader(name, size);
  const offset = draft.end + header.byteLength;
  await writeAll(draft.file, header, draft.end);
  checkWritten(name, size, await writeStream(draft.file, content, offset));
  const padding = tarPadding(size);
  await writeAll(draft.file, padding, offset + size);
  draft.end = offset + size + padding.byteLength;
  return { offset, size };
}

async function openArchive(path: string, label: string): Promise<FileHandle | undefined> {
  const file = await files.open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(ifAbsent);
  if (file === undefined) return undefined;
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw layoutError(label, "is not a regular file: write oci: for a folder");
}

function versionOf(path: string): Promise<Version | undefined> {
  return files.stat(path).catch(ifAbsent);
}

function isSame(a: Version | undefined, b: Version | undefined): boolean {
  return a?.ino === b?.ino && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs;
}
