import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { printableLine } from "../../core/redaction/printable";
import type { Interruption } from "../exec/interruption";
import { failureOf, printFailure, note } from "../invocation/failure";
import type { Project } from "../synthesis/project";
import { changedFiles, type SourceSnapshot, sourceSnapshot } from "./source-snapshot";

/** The interval at which files are compared if the system reports nothing. */
const pauseMs = 300;

/** The time without a further change after which several saved files are one change. */
const quietMs = 40;

/** The number of consecutive runs in which a file must change until the app counts as its writer. */
const runsOfWriter = 3;

/** Checks for a file that people edit, even several times during a long run. */
export const isCode = (path: string): boolean => /\.([cm]?[jt]sx?|py|go|java|cs)$/.test(path);

/** The share of the time that comparing may take in a large project. */
const maxShare = 0.05;

/**
 * Notices changes of a project's sources.
 *
 * It compares the files again and again, which works in every file system and needs only a few milliseconds
 * for a typical project, and sooner when the system reports a change. Only contents count: a file that is rewritten
 * unchanged has not changed.
 */
export class SourceWatcher {
  readonly #folder: string;
  readonly #output: string;
  #known: SourceSnapshot = new Map();
  /** The files that the app itself writes, which are not sources. */
  readonly #written = new Set<string>();
  #changedInRuns: ReadonlyMap<string, number> = new Map();

  /** @param output the folder of the synthesized stacks, relative to the project's */
  constructor(folder: string, output: string) {
    this.#folder = folder;
    this.#output = output;
  }

  /** Remembers the current sources. */
  async begin(): Promise<void> {
    this.#known = await this.#read();
  }

  /**
   * Ends a run of the app. Changes during the run may come from the user, which is a reason to run the app
   * again. If the same files change in each run, the app writes them.
   *
   * @returns the files that are not watched from now on
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
   * Waits until sources have changed, and no further change has happened for a moment.
   *
   * @returns their paths; none if it was aborted
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

/** More folders are not watched: systems limit their number. */
const maxFolders = 500;

/** Notices at once that something happens in folders, where the system reports it. It may miss events. */
class FolderEvents {
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

/**
 * Runs something, and again after each change of a project's sources, until it is interrupted. A failure is printed,
 * not thrown: the next change may fix it.
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
      note(`ignoring changes to what the app itself writes: ${listed(written)}`);
    if (interruption.aborted.aborted) break;
    note("waiting for changes; Ctrl-C ends it");
    changed = await watcher.next(interruption.aborted);
    if (changed.length > 0) note(`changed: ${shortened(changed)}`);
  }
}

/** A name of a file can have several lines. */
const listed = (paths: readonly string[]): string => paths.map(printableLine).join(", ");

const shownFiles = 3;

function shortened(paths: readonly string[]): string {
  const more = paths.length - shownFiles;
  return `${listed(paths.slice(0, shownFiles))}${more > 0 ? ` and ${more} more` : ""}`;
}
