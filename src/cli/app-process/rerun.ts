import { createConnection, type Socket } from "node:net";
import Module from "node:module";
import { createInterface } from "node:readline";
import { parseTrustedJson } from "../../core/json/plain-json";
import type { AppRecorder } from "./app-recorder";
import type { RunAnswer, RunRequest } from "./app-report";
import { FreshSources } from "./fresh-sources";
import { isUsersFile } from "../user-code/source-position";

/** The parts of Node.js's module loader that load a program anew. They are not in its documentation. */
interface Loader {
  readonly _load: (path: string, parent: null, isMain: boolean) => unknown;
  readonly _cache: Record<string, NodeJS.Module>;
}

const loader = Module as unknown as Loader;

/**
 * Reports that the app has run, and runs it again for each request, until the connection ends.
 *
 * The packages stay loaded, cdktf and the library among them; only the user's modules are loaded anew.
 */
export function rerunOnRequest(socketPath: string, recorder: AppRecorder): void {
  const main = require.main?.filename ?? process.argv[1];
  if (main === undefined || loader._cache[main] === undefined || "bun" in process.versions) {
    // Node.js cannot load an ES module anew, and Bun no module at all: each run needs another process.
    return;
  }
  new Reruns(createConnection(socketPath), main, recorder).start();
}

class Reruns {
  readonly #socket: Socket;
  readonly #main: string;
  readonly #recorder: AppRecorder;
  readonly #fresh: FreshSources;
  #isRunning = true;

  constructor(socket: Socket, main: string, recorder: AppRecorder) {
    this.#socket = socket;
    this.#main = main;
    this.#recorder = recorder;
    this.#fresh = new FreshSources(userModules(), recorder.sources);
  }

  start(): void {
    // Without these listeners, the first error of a later run would end the process.
    process.on("uncaughtException", this.#fail);
    process.on("beforeExit", this.#end);
    this.#socket.on("error", () => process.exit());
    this.#socket.on("close", () => process.exit());
    createInterface(this.#socket).on("line", (line) => {
      this.#run(parseTrustedJson(line) as RunRequest);
    });
    this.#end();
  }

  #run(request: RunRequest): void {
    this.#isRunning = true;
    this.#recorder.watch(request.limitMs);
    // The app has ended when nothing else keeps the process.
    this.#socket.unref();
    this.#recorder.reset();
    process.exitCode = undefined;
    try {
      this.#fresh.prepare(request.unsaved);
      for (const file of userModules()) Reflect.deleteProperty(loader._cache, file);
      forgetChildren();
      loader._load(this.#main, null, true);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): void => {
    console.error(error);
    this.#recorder.fail(error);
  };

  readonly #end = (): void => {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#recorder.write();
    const answer: RunAnswer = {
      hasFailed: this.#recorder.hasFailed || (process.exitCode ?? 0) !== 0,
      isUnchecked: this.#fresh.isUsed,
      heapBytes: process.memoryUsage().heapUsed,
    };
    this.#socket.ref();
    this.#socket.write(`${JSON.stringify(answer)}\n`);
  };
}

const userModules = (): readonly string[] => Object.keys(loader._cache).filter(isUsersFile);

/** Releases modules that are no longer loaded: each module remembers the modules it loaded. */
function forgetChildren(): void {
  for (const module of Object.values(loader._cache)) {
    module.children = module.children.filter(({ filename }) => filename in loader._cache);
  }
}
