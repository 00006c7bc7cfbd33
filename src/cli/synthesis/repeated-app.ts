import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { parseTrustedJson } from "../../core/json/plain-json";
import {
  readReport,
  reportVariable,
  type RunAnswer,
  type RunRequest,
  socketVariable,
  timeoutMs,
} from "../app-process/app-report";
import { type Interruption, killGroup } from "../exec/interruption";
import { withTemporaryFolder } from "../exec/temporary-folder";
import { manifestFile, readManifest, type Stack } from "./manifest";
import type { Project } from "./project";
import { AppFailed, startApp } from "./synthesize";

/** A process that uses more is replaced: each run leaves something behind in cdktf. */
const maxHeapBytes = 768 * 1024 * 1024;

/** A kept process can block for at least this time. */
const shortestLimitMs = 5000;

/** Files that decide how the app is started or compiled. When one of them changes, the process cannot be reused. */
const decisive =
  /^(?:package(?:-lock)?\.json|cdktf\.json|tsconfig.*\.json|yarn\.lock|pnpm-lock\.yaml)$/;

/** What has changed since the app ran last. */
interface AppChanges {
  /** The paths of files. */
  readonly files: readonly string[];
  /** Contents of files that differ from those on disk, by their paths. */
  readonly unsaved: Readonly<Record<string, string>>;
  /**
   * True if a failure of the kept process is final, because somebody is writing. Otherwise, the app is started again: only its
   * own compiler finds all errors.
   */
  readonly isBeingWritten: boolean;
}

/** A run of the app. */
interface AppRun {
  readonly stacks: readonly Stack[];
  /** True if changed sources were compiled without the checks of the app's own compiler. */
  readonly isUnchecked: boolean;
}

/**
 * Calls `use` with an app that can run repeatedly. Its process is kept, so that a run takes only the time of the user's own
 * code.
 */
export async function withRepeatedApp<Result>(
  project: Project,
  env: NodeJS.ProcessEnv,
  interruption: Interruption,
  use: (app: RepeatedApp) => Promise<Result>,
): Promise<Result> {
  return await withTemporaryFolder(async (folder) => {
    const app = new RepeatedApp(project, env, interruption, folder);
    const close = (): void => {
      app.close();
    };
    process.once("exit", close);
    try {
      return await use(app);
    } finally {
      process.off("exit", close);
      close();
    }
  });
}

/** An app that runs repeatedly. */
export class RepeatedApp {
  readonly #project: Project;
  readonly #env: NodeJS.ProcessEnv;
  readonly #interruption: Interruption;
  readonly #report: string;
  readonly #socketPath: string;
  readonly #server: Server;
  /** The process of the app, also while it is not kept yet. */
  #child: ChildProcess | undefined;
  #kept: KeptProcess | undefined;
  #lastMs = 0;
  #onConnection: (socket: Socket) => void = (socket) => socket.destroy();

  /** @param folder an empty folder that only this user can enter */
  constructor(
    project: Project,
    env: NodeJS.ProcessEnv,
    interruption: Interruption,
    folder: string,
  ) {
    this.#project = project;
    this.#env = env;
    this.#interruption = interruption;
    this.#report = join(folder, "report");
    this.#socketPath = join(folder, "socket");
    this.#server = createServer((socket) => {
      this.#onConnection(socket);
    });
    // Without a socket, for example because its path is too long, each run has its own process.
    this.#server.on("error", () => undefined);
    if (process.platform !== "win32") this.#server.listen(this.#socketPath);
    this.#server.unref();
  }

  /**
   * Runs the app with its newest sources.
   *
   * @throws AppFailed if the app fails
   * @throws CommandError if it writes no stacks
   */
  async run({ files, unsaved, isBeingWritten }: AppChanges): Promise<AppRun> {
    await rm(manifestFile(this.#project), { force: true });
    if (files.some((file) => decisive.test(basename(file)))) this.#end();
    const begun = performance.now();
    const answer = await this.#runAgain(unsaved);
    const isDone = answer !== undefined && !answer.hasFailed;
    if (answer !== undefined && answer.heapBytes > maxHeapBytes) this.#end();
    if (answer?.hasFailed === true && isBeingWritten) await this.#fail(1);
    if (!isDone) this.#end();
    if (!isDone && !this.#isInterrupted) await this.#start();
    if (this.#isInterrupted) return { stacks: [], isUnchecked: false };
    if (isDone) this.#lastMs = performance.now() - begun;
    const { positions } = await readReport(this.#report);
    const stacks = await readManifest(this.#project, positions);
    return { stacks, isUnchecked: isDone && answer.isUnchecked };
  }

  /** True if the app is loaded, so that its next run can include unsaved files. */
  get isKept(): boolean {
    return this.#kept !== undefined;
  }

  close(): void {
    this.#end();
    this.#server.close();
  }

  get #isInterrupted(): boolean {
    return this.#interruption.exitCode !== undefined;
  }

  /**
   * Runs the app in its process. Returns undefined if it has no process, or if that has ended.
   *
   * @throws AppFailed if the app blocked its process for too long
   */
  async #runAgain(unsaved: RunRequest["unsaved"]): Promise<RunAnswer | undefined> {
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    await rm(this.#report, { force: true });
    const limitMs = Math.min(timeoutMs(this.#env) ?? 0, shortestLimitMs + 10 * this.#lastMs);
    const running = kept.run({ unsaved, limitMs });
    const answer = await this.#interruption.during(kept.child, true, running);
    if (answer === undefined && !this.#isInterrupted) {
      this.#end();
      const { failure } = await readReport(this.#report);
      if (failure !== undefined) throw new AppFailed(this.#project, "SIGKILL", failure);
    }
    return answer;
  }

  async #fail(code: unknown): Promise<never> {
    throw new AppFailed(this.#project, code, (await readReport(this.#report)).failure);
  }

  /** Starts the app, and waits until it has run. */
  async #start(): Promise<void> {
    await rm(this.#report, { force: true });
    const child = startApp(this.#project, this.#env, {
      [reportVariable]: this.#report,
      ...(this.#server.listening && { [socketVariable]: this.#socketPath }),
    });
    this.#child = child;
    const kept = new Promise<KeptProcess>((resolve) => {
      this.#onConnection = (socket) => {
        resolve(new KeptProcess(child, socket));
      };
    });
    const ended = once(child, "close");
    const first = await this.#interruption.during(
      child,
      true,
      Promise.race([ended, kept.then((each) => each.answer())]),
    );
    if (this.#isInterrupted) {
      killGroup(child);
      return;
    }
    if (!Array.isArray(first)) {
      this.#kept = await kept;
      return;
    }
    const [code] = first as unknown[];
    if (code === 0) return;
    await this.#fail(code);
  }

  #end(): void {
    this.#kept?.end();
    this.#kept = undefined;
    if (this.#child !== undefined) killGroup(this.#child);
    this.#child = undefined;
  }
}

/** A process in which the app has run, and can run again. */
class KeptProcess {
  readonly child: ChildProcess;
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  constructor(child: ChildProcess, socket: Socket) {
    this.child = child;
    this.#socket = socket;
    this.#lines = createInterface(socket)[Symbol.asyncIterator]();
    socket.on("error", () => {
      killGroup(child);
    });
  }

  /** Runs the app again. Returns undefined if the process has ended. */
  async run(request: RunRequest): Promise<RunAnswer | undefined> {
    this.#socket.write(`${JSON.stringify(request)}\n`);
    return await this.answer();
  }

  async answer(): Promise<RunAnswer | undefined> {
    const line = await this.#lines.next();
    return line.done === true ? undefined : (parseTrustedJson(line.value) as RunAnswer);
  }

  end(): void {
    this.#socket.destroy();
  }
}
