import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { parseTrustedJson } from "../../json/plain-json";
import {
  readReport,
  reportVariable,
  type RunAnswer,
  socketVariable,
} from "../app-process/app-report";
import { type Interruption, killGroup } from "../exec/interruption";
import { withTemporaryFolder } from "../exec/temporary-folder";
import { manifestFile, readManifest, type Stack } from "./manifest";
import type { Project } from "./project";
import { appFailed, startApp } from "./synthesize";

/** A process that uses more is replaced: each run leaves something behind in cdktf. */
const maxHeapBytes = 768 * 1024 * 1024;

/** Files that decide how the app is started or compiled, so that a process cannot go on with others. */
const decisive =
  /^(?:package(?:-lock)?\.json|cdktf\.json|tsconfig.*\.json|yarn\.lock|pnpm-lock\.yaml)$/;

/** A run of the app. */
interface AppRun {
  readonly stacks: readonly Stack[];
  /** True if changed sources were compiled without the checks of the app's own compiler. */
  readonly isUnchecked: boolean;
}

/**
 * Calls `use` with an app that can be run again and again. Its process is kept in between, so that a run takes only the
 * time of the user's own code.
 */
export async function withRepeatedApp<Result>(
  project: Project,
  env: NodeJS.ProcessEnv,
  interruption: Interruption,
  use: (app: RepeatedApp) => Promise<Result>,
): Promise<Result> {
  return await withTemporaryFolder(async (folder) => {
    const app = new RepeatedApp(project, env, interruption, folder);
    try {
      return await use(app);
    } finally {
      app.close();
    }
  });
}

/** An app that is run again and again. */
class RepeatedApp {
  readonly #project: Project;
  readonly #env: NodeJS.ProcessEnv;
  readonly #interruption: Interruption;
  readonly #report: string;
  readonly #socketPath: string;
  readonly #server: Server;
  #kept: KeptProcess | undefined;
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
    // Without a socket, as where its path is too long, each run has a process of its own.
    this.#server.on("error", () => undefined);
    if (process.platform !== "win32") this.#server.listen(this.#socketPath);
    this.#server.unref();
  }

  /**
   * Runs the app with its newest sources.
   *
   * If the kept process fails, the app is started anew, and that decides: only its own compiler knows all errors.
   *
   * @param changed the paths of the files that have changed since it ran last
   * @throws CommandError if the app fails, or writes no stacks
   */
  async run(changed: readonly string[]): Promise<AppRun> {
    await rm(manifestFile(this.#project), { force: true });
    if (changed.some((file) => decisive.test(basename(file)))) this.#end();
    const answer = await this.#runAgain();
    const isDone = answer !== undefined && !answer.hasFailed;
    if (!isDone) this.#end();
    if (!isDone && !this.#isInterrupted) await this.#start();
    if (this.#isInterrupted) return { stacks: [], isUnchecked: false };
    const { positions } = await readReport(this.#report);
    const stacks = await readManifest(this.#project, positions);
    if (isDone && answer.heapBytes > maxHeapBytes) this.#end();
    return { stacks, isUnchecked: isDone && answer.isUnchecked };
  }

  close(): void {
    this.#end();
    this.#server.close();
  }

  get #isInterrupted(): boolean {
    return this.#interruption.exitCode !== undefined;
  }

  /** Runs the app in its process. Returns undefined if there is none, or if it has ended. */
  async #runAgain(): Promise<RunAnswer | undefined> {
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    return await this.#interruption.during(kept.child, true, kept.run());
  }

  /** Starts the app, and waits until it has run. */
  async #start(): Promise<void> {
    await rm(this.#report, { force: true });
    const child = startApp(this.#project, this.#env, {
      [reportVariable]: this.#report,
      ...(this.#server.listening && { [socketVariable]: this.#socketPath }),
    });
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
    throw appFailed(this.#project, code, (await readReport(this.#report)).failure);
  }

  #end(): void {
    this.#kept?.end();
    this.#kept = undefined;
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
  async run(): Promise<RunAnswer | undefined> {
    this.#socket.write("run\n");
    return await this.answer();
  }

  async answer(): Promise<RunAnswer | undefined> {
    const line = await this.#lines.next();
    return line.done === true ? undefined : (parseTrustedJson(line.value) as RunAnswer);
  }

  end(): void {
    this.#socket.destroy();
    killGroup(this.child);
  }
}
