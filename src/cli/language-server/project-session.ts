import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isForeign } from "../../core/process/files";
import type { AppFailure } from "../app-process/app-report";
import { type CheckSettings, checkStack, type StackCheck } from "../check/check-stack";
import { currentSettings } from "../check/command";
import { Interruption } from "../exec/interruption";
import { commandEnvironment } from "../invocation/command-environment";
import { failureOf } from "../invocation/failure";
import type { Stack } from "../synthesis/manifest";
import { type Project, readProject } from "../synthesis/project";
import { type RepeatedApp, withRepeatedApp } from "../synthesis/repeated-app";
import { AppFailed } from "../synthesis/synthesize";
import { SourceWatcher } from "../watch/source-watcher";
import type { OpenDocuments } from "./source-outline";

/** A stack, with the result of its check. */
export interface CheckedView extends StackCheck {
  readonly stack: Stack;
}

/** The last results of a project. */
export interface CheckedProject {
  /** From the last successful run of the app. */
  readonly stacks: readonly CheckedView[];
  /** Set if the app has failed since. */
  readonly failure?: AppFailure;
}

/** A document is read after this time without an edit. */
const quietMs = 150;

/** The file that defines the app. A change of it starts another app. */
const projectFile = "cdktf.json";

/** Checks a project after each change of its files and documents. */
export class ProjectSession {
  readonly folder: string;
  readonly #documents: OpenDocuments;
  readonly #settings: CheckSettings;
  readonly #report: (session: ProjectSession) => Promise<void>;
  readonly #interruption = new Interruption();
  #project: CheckedProject = { stacks: [] };
  #wake = new AbortController();
  #editedAt = 0;

  /** @param report called after each check */
  constructor(
    folder: string,
    documents: OpenDocuments,
    settings: CheckSettings,
    report: (session: ProjectSession) => Promise<void>,
  ) {
    this.folder = folder;
    this.#documents = documents;
    this.#settings = settings;
    this.#report = report;
  }

  get project(): CheckedProject {
    return this.#project;
  }

  /** Reports a change of a document in the editor. */
  edit(): void {
    this.#editedAt = performance.now();
    this.#wake.abort();
  }

  async run(): Promise<void> {
    try {
      while (!this.#isStopped) await this.#runProject();
    } finally {
      this.#interruption.release();
    }
  }

  stop(): void {
    this.#interruption.stop();
  }

  get #isStopped(): boolean {
    return this.#interruption.exitCode !== undefined;
  }

  /** Checks until the definition of the app changes. */
  async #runProject(): Promise<void> {
    const project = await readProject(this.folder).catch((error: unknown) => ({ error }));
    const watcher = new SourceWatcher(
      this.folder,
      "error" in project ? "cdktf.out" : project.output,
    );
    await watcher.begin();
    if ("error" in project) {
      await this.#fail(project.error);
      await watcher.next(this.#interruption.aborted);
      return;
    }
    await withRepeatedApp(project, commandEnvironment().env, this.#interruption, async (app) => {
      let files: readonly string[] = [];
      do {
        await this.#check(app, project, files);
        await watcher.endRun();
        files = await this.#nextChange(app, watcher);
      } while (!this.#isStopped && !files.includes(projectFile));
    });
  }

  async #check(app: RepeatedApp, project: Project, files: readonly string[]): Promise<void> {
    this.#wake = new AbortController();
    const unsaved = app.isKept ? await this.#documents.unsavedIn(this.folder) : {};
    try {
      const { stacks } = await app.run({ files, unsaved, isBeingWritten: true });
      if (this.#isStopped) return;
      const settings = currentSettings(this.#settings, project, files);
      const views = [];
      for (const stack of stacks) {
        views.push({ stack, ...(await checkStack(stack, settings)) });
      }
      this.#project = { stacks: views };
      await this.#report(this);
    } catch (error) {
      if (!this.#isStopped) await this.#fail(error);
    }
  }

  /** Waits until a file or a document changes. */
  async #nextChange(app: RepeatedApp, watcher: SourceWatcher): Promise<readonly string[]> {
    const { aborted } = this.#interruption;
    for (;;) {
      const files = await watcher.next(AbortSignal.any([this.#wake.signal, aborted]));
      while (performance.now() - this.#editedAt < quietMs) await wait(quietMs);
      // Only a loaded app can read unsaved documents.
      if (files.length > 0 || app.isKept || aborted.aborted) return files;
      this.#wake = new AbortController();
    }
  }

  async #fail(error: unknown): Promise<void> {
    const known = error instanceof AppFailed ? error.failure : undefined;
    const failure = known ?? { message: messageOf(error), causes: [] };
    this.#project = { ...this.#project, failure };
    await this.#report(this);
  }
}

function messageOf(error: unknown): string {
  const { message, fix } = failureOf(error);
  return `${message}\n${fix}`;
}

/** Finds the project of a file, but only in the folders that the editor has opened, because projects are run. */
export class ProjectFolders {
  readonly #roots: readonly string[];

  /** @param roots the folders that the editor has opened */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** Returns the nearest folder above a file that has a cdktf.json. */
  of(path: string): string | undefined {
    for (let folder = dirname(path); this.#isOpened(folder); folder = dirname(folder)) {
      if (existsSync(join(folder, "cdktf.json"))) return folder;
      if (folder === dirname(folder)) return undefined;
    }
    return undefined;
  }

  #isOpened(folder: string): boolean {
    return this.#roots.some((root) => {
      const [first] = relative(root, folder).split(sep);
      return first !== "..";
    });
  }
}

/** Returns why a project is not run, because another user may have put it there; undefined if it is run. */
export function foreignProject(folder: string): string | undefined {
  const foreign = [folder, join(folder, "cdktf.json")].find(isForeign);
  return foreign === undefined
    ? undefined
    : `${foreign} belongs to another user, so the project is not checked: a check runs its app. Copy the project to ` +
        "a folder of your own, or change the owner.";
}
