import { resolve } from "node:path";
import type { CallContext, Clock } from "../../../http/call-context";
import { formatRepository, type Repository } from "../reference/image-name";
import { TagLock } from "../registry/update-tag";
import { LayoutArchive } from "./layout-archive";
import {
  type ChangeIndex,
  endedCheck,
  type EndedCheck,
  type LayoutFiles,
  untilEnded,
} from "./layout-files";
import { LayoutFolder } from "./layout-folder";

// One for the process: several clients may write to the same archive.
const lock = new TagLock();

/** Opens image layouts: folders at any time, archives for writing only while an image is written. */
export class Layouts {
  readonly #archives = new Map<string, LayoutArchive>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Opens a layout for one call: what takes long ends with the call. */
  async open(repository: Repository, context: CallContext) {
    const check = endedCheck(context, this.#clock);
    check();
    const files = await this.#files(repository, check);
    return {
      read: (name: string, maxBytes: number) => files.read(name, maxBytes),
      sizeOf: (name: string) => files.sizeOf(name),
      stream: (name: string) => untilEnded(files.stream(name), check),
      write: (name: string, size: number, content: AsyncIterable<Uint8Array>) =>
        files.write(name, size, untilEnded(content, check), check),
      updateIndex: (change: ChangeIndex) => files.updateIndex(change, check),
    };
  }

  /** Runs work that writes to a layout. What it wrote to an archive appears afterwards, unless it fails. */
  async write<T>(repository: Repository, context: CallContext, work: () => Promise<T>): Promise<T> {
    if (repository.registry === "oci:") return work();
    const key = resolve(repository.path);
    return lock.run(key, async () => {
      const check = endedCheck(context, this.#clock);
      check();
      const label = formatRepository(repository);
      const archive = await LayoutArchive.open(repository.path, label, check);
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

  async #files({ registry, path }: Repository, check: EndedCheck): Promise<LayoutFiles> {
    const label = formatRepository({ registry, path });
    if (registry === "oci:") return new LayoutFolder(path, label);
    const known = this.#archives.get(resolve(path));
    if (known !== undefined && (await known.isCurrent())) return known;
    const archive = await LayoutArchive.open(path, label, check);
    this.#archives.set(resolve(path), archive);
    return archive;
  }
}

export type OpenLayout = Awaited<ReturnType<Layouts["open"]>>;
