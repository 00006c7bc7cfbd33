import { setTimeout as wait } from "node:timers/promises";
import { changedFiles, type SourceSnapshot, sourceSnapshot } from "./source-snapshot";

/** How often files are compared. Several saved at once are one change. */
const pauseMs = 300;

/** In how many runs one after another a file must change, until the app is taken for its writer. */
const runsOfWriter = 3;

/** Files that somebody edits: several times during a run, if the run takes long. */
const code = /\.([cm]?[jt]sx?|py|go|java|cs)$/;

/** The share of the time that comparing may take in a large project. */
const maxShare = 0.05;

/**
 * Notices changes of a project's sources.
 *
 * It compares the files again and again, which works in every file system and needs a few milliseconds for a
 * usual project. Only contents count: a file that was written without a change is none.
 */
export class SourceWatcher {
  readonly #folder: string;
  readonly #output: string;
  #known: SourceSnapshot = new Map();
  /** What the app itself writes, which is not a source. */
  readonly #written = new Set<string>();
  /** In how many runs one after another files have changed. */
  #changedInRuns: ReadonlyMap<string, number> = new Map();

  /** @param output the folder of the synthesized stacks, relative to the project's */
  constructor(folder: string, output: string) {
    this.#folder = folder;
    this.#output = output;
  }

  /** Remembers the sources as they are. */
  async begin(): Promise<void> {
    this.#known = await this.#read();
  }

  /**
   * To be called after the app has run. What changed meanwhile may be by the user, which is a reason to run
   * it again. If the same files change in each run, the app writes them.
   *
   * @returns the files that are not watched from now on
   */
  async endRun(): Promise<readonly string[]> {
    const changed = this.#changed(await this.#read()).filter((path) => !code.test(path));
    const runs = new Map(changed.map((path) => [path, (this.#changedInRuns.get(path) ?? 0) + 1]));
    this.#changedInRuns = runs;
    const written = changed.filter((path) => runs.get(path) === runsOfWriter);
    for (const path of written) this.#written.add(path);
    return written;
  }

  /**
   * Waits until sources differ from those that were known, and nothing has changed for a moment.
   *
   * @returns their paths; none if it was aborted
   */
  async next(aborted: AbortSignal): Promise<readonly string[]> {
    let before = this.#known;
    for (;;) {
      const begun = performance.now();
      const now = await this.#read();
      const isQuiet = changedFiles(before, now).length === 0;
      const changed = this.#changed(now);
      if (aborted.aborted) return [];
      if (changed.length > 0 && isQuiet) {
        this.#known = now;
        return changed;
      }
      before = now;
      const took = performance.now() - begun;
      await wait(Math.max(pauseMs, took / maxShare), undefined, { signal: aborted }).catch(
        () => undefined,
      );
    }
  }

  #read(): Promise<SourceSnapshot> {
    return sourceSnapshot(this.#folder, this.#output, this.#known);
  }

  #changed(now: SourceSnapshot): readonly string[] {
    return changedFiles(this.#known, now).filter((path) => !this.#written.has(path));
  }
}
