import { resolve } from "node:path";
import { formatRepository, type Repository } from "../reference/repository";
import { TagLock } from "../registry/update-tag";
import { LayoutArchive } from "./layout-archive";
import type { LayoutFiles } from "./layout-files";
import { LayoutFolder } from "./layout-folder";

// One for the process: several clients may write to the same archive.
const lock = new TagLock();

/** Opens image layouts: folders at any time, archives for writing only while an image is written. */
export class Layouts {
  readonly #archives = new Map<string, LayoutArchive>();

  async open(repository: Repository): Promise<LayoutFiles> {
    const { registry, path } = repository;
    const label = formatRepository(repository);
    if (registry === "oci:") return new LayoutFolder(path, label);
    const known = this.#archives.get(resolve(path));
    if (known !== undefined && (await known.isCurrent())) return known;
    const archive = await LayoutArchive.open(path, label);
    this.#archives.set(resolve(path), archive);
    return archive;
  }

  /** Runs work that writes to a layout. What it wrote to an archive appears afterwards, unless it fails. */
  async write<T>(repository: Repository, work: () => Promise<T>): Promise<T> {
    if (repository.registry === "oci:") return work();
    const key = resolve(repository.path);
    return lock.run(key, async () => {
      const archive = await LayoutArchive.open(repository.path, formatRepository(repository));
      archive.beginWriting();
      this.#archives.set(key, archive);
      try {
        const result = await work();
        await archive.finish();
        return result;
      } finally {
        this.#archives.delete(key);
        await archive.discard();
      }
    });
  }
}
