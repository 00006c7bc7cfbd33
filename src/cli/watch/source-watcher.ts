import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { printableLine } from "../../core/redaction/printable";
import type { Interruption } from "../exec/interruption";
import { failureOf, printFailure, note } from "../invocation/failure";
import type { Project } from "../synthesis/project";
import { changedFiles, type SourceSnapshot, sourceSnapshot } from "./source-snapshot";

/** The interval of comparisons if the system reports nothing. */
const pauseMs = 300;

/** Files that are saved within this time of each other are one change. */
const quietMs = 40;

/** A file that changes in so many consecutive runs counts as written by the app. */
const runsOfWriter = 3;

/** Checks for source code, which people may edit several times during a long run. */
export const isCode = (path: string): boolean => /\.([cm]?[jt]sx?|py|go|java|cs)$/.test(path);

/** The share of time for comparisons in a large project. */
const maxShare = 0.05;

/**
 * Notices changes of a project's sources.
 *
 * Compares the files at intervals, which works in every file system and takes a few milliseconds for a typical project,
 * and sooner when the system reports a change. Only contents count: a file that is saved unchanged has not changed.
 */
export class SourceWatcher {
  readonly #folder: string;
  readonly #output: string;
  #known: SourceSnapshot = new Map();
  /** The files that the app writes, which are not sources. */
  readonly #written = new Set<string>();
  #changedInRuns: ReadonlyMap<string, number> = new Map();

  /** @param output the folder of the synthesized stacks, relative to that of the project */
  constructor(folder: string, output: string) {
    this.#folder = folder;
    this.#output = output;
  }

  /** Takes the first snapshot. */
  async begin(): Promise<void> {
    this.#known = await this.#read();
  }

  /**
   * Ends a run of the app. Changes during a run may come from the user, so the app runs again. If a file changes in each
   * run, the app writes it.
   *
   * @returns the files that are no longer watched
   */
  async endRun(): Promise<readonly string[]> {
    const changed = this.#changed(await this.#read()).filter((path) => !isCode(path));
    const runs = new Map(changed.map((path) => [path, (this.#changedInRuns.get(path) ?? 0) + 1]));
    this.#changedInRuns = runs;
    const written = changed.filter((path) => runs.get(path) === runsOfWriter);
    for (const path of written) this.#written.add(path);
    return written;
  }

  /**
   * Waits until sources have changed, and then for a moment without further changes.
   *
   * @returns their paths; none if aborted
   */
  async next(aborted: AbortSignal): Promise<readonly string[]> {
    const events = new FolderEvents(this.#folder, this.#known.keys());
    try {
      return await this.#next(events, aborted);
    } finally {
      events.close();
    }
  }

  async #next(events: FolderEvents, aborted: AbortSignal): Promise<readonly string[]> {
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
      if (!isQuiet) {
        await wait(quietMs);
        continue;
      }
      const took = performance.now() - begun;
      await events.next(Math.max(pauseMs, took / maxShare), aborted);
    }
  }

  #read(): Promise<SourceSnapshot> {
    return sourceSnapshot(this.#folder, this.#output, this.#known);
  }

  #changed(now: SourceSnapshot): readonly string[] {
    return changedFiles(this.#known, now).filter((path) => !this.#written.has(path));
  }
}

/** Systems limit the number of watched folders. */
const maxFolders = 500;

/** Reports events in folders immediately, if the system does. May miss events. */
class FolderEvents {
  readonly #watchers: readonly FSWatcher[];
  #happened = new AbortController();

  /** @param files the paths of the files in the folder */
  constructor(folder: string, files: Iterable<string>) {
    const folders = new Set([...files].map((file) => join(folder, dirname(file)))).add(folder);
    this.#watchers = [...folders].slice(0, maxFolders).flatMap((each) => this.#watch(each));
  }

  /** Waits for an event, but not longer than the time. */
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

/**
 * Runs a function, and again after each change of a project's sources, until it is interrupted. Failures are printed,
 * because the next change may fix them.
 *
 * @param run receives the paths of the files that have changed
 */
export async function repeatOnChange(
  { folder, output }: Project,
  interruption: Interruption,
  run: (changed: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const watcher = new SourceWatcher(folder, output);
  await watcher.begin();
  let changed: readonly string[] = [];
  while (interruption.exitCode === undefined) {
    await run(changed).catch((failure: unknown) => {
      printFailure(failureOf(failure), false);
    });
    const written = await watcher.endRun();
    if (written.length > 0)
      note(`ignoring changes to files that the app writes: ${listed(written)}`);
    if (interruption.aborted.aborted) break;
    note("waiting for changes; press Ctrl-C to stop");
    changed = await watcher.next(interruption.aborted);
    if (changed.length > 0) note(`changed: ${shortened(changed)}`);
  }
}

const listed = (paths: readonly string[]): string => paths.map(printableLine).join(", ");

const shownFiles = 3;

function shortened(paths: readonly string[]): string {
  const more = paths.length - shownFiles;
  return `${listed(paths.slice(0, shownFiles))}${more > 0 ? ` and ${more} more` : ""}`;
}
