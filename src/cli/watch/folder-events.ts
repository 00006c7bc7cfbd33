import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** More folders are not watched: systems limit their number. */
const maxFolders = 500;

/** Notices at once that something happens in folders, where the system can tell. It may miss events. */
export class FolderEvents {
  readonly #watchers: readonly FSWatcher[];
  #happened = new AbortController();

  /**
   * @param folder the folder of a project
   * @param files the paths of its files, in the folder
   */
  constructor(folder: string, files: Iterable<string>) {
    const folders = new Set([...files].map((file) => join(folder, dirname(file)))).add(folder);
    this.#watchers = [...folders].slice(0, maxFolders).flatMap((each) => this.#watch(each));
  }

  /** Waits for an event, or for the time if none happens. */
  async next(timeMs: number, aborted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.#happened.signal, aborted]);
    await wait(timeMs, undefined, { signal }).catch(() => undefined);
    if (this.#happened.signal.aborted) this.#happened = new AbortController();
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #watch(folder: string): readonly FSWatcher[] {
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        this.#happened.abort();
      });
      watcher.on("error", () => {
        watcher.close();
      });
      return [watcher];
    } catch {
      return [];
    }
  }
}
