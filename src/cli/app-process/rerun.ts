import fs from "node:fs";
import Module from "node:module";
import { createConnection, type Socket } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseTrustedJson } from "../../core/json/plain-json";
import { type Compile, type CompiledSource, projectCompiler } from "../user-code/project-compiler";
import { isUsersFile, type SourcePositions, sourcesOf } from "../user-code/source-position";
import type { AppRecorder } from "./app-recorder";
import type { RunAnswer, RunRequest } from "./app-report";

/** Loads a file of some kind. */
type LoadFile = (
  module: NodeJS.Module & { _compile: (code: string, file: string) => void },
  file: string,
) => void;

/** The parts of Node.js's module loader that load a program again. Its documentation does not describe them. */
interface Loader {
  readonly _load: (path: string, parent: null, isMain: boolean) => unknown;
  readonly _cache: Record<string, NodeJS.Module>;
  readonly _extensions: Record<string, LoadFile>;
}

const loader = Module as unknown as Loader;

/**
 * Reports that the app has run, and runs it again for each request, until the connection ends.
 *
 * Packages such as cdktf and the library stay loaded. Only the user's modules are loaded again.
 */
export function rerunOnRequest(socketPath: string, recorder: AppRecorder): void {
  const main = require.main?.filename ?? process.argv[1];
  if (main === undefined || loader._cache[main] === undefined || "bun" in process.versions) {
    // Node.js cannot load an ES module again, and Bun cannot load any module again: each run needs a new process.
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
    // The app has ended when nothing else keeps the process alive.
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

interface CompiledFile {
  readonly source: string;
  /** The state of the source when the app's own compiler read it. */
  readonly version: string;
}

/** The code that was compiled from a source with this content. */
interface Output extends CompiledSource {
  readonly source: string;
}

/**
 * Lets an app run again with its newest sources.
 *
 * An app whose compiler writes files (`tsc && node build/main.js`) would run old files. If their sources have changed, they
 * are compiled here when they are loaded. ts-node and tsx do that themselves, and only need what an editor has not saved.
 */
class FreshSources {
  readonly #compiled = new Map<string, CompiledFile>();
  readonly #positions: SourcePositions;
  readonly #outputs = new Map<string, Output>();
  #unsaved: ReadonlyMap<string, string> = new Map();
  #isUsed = false;
  #compiler: Compile | undefined;

  /** @param files the modules that were loaded, which are as new as their sources */
  constructor(files: readonly string[], positions: SourcePositions) {
    this.#positions = positions;
    for (const file of files) {
      const [source, ...others] = /\.[cm]?js$/.test(file) ? sourcesOf(file) : [];
      if (source === undefined || others.length > 0 || !/\.[cm]?tsx?$/.test(source)) continue;
      this.#compiled.set(file, { source, version: versionOf(source) });
    }
    this.#loadCompiled();
    this.#readUnsaved();
  }

  /** True if sources were compiled here since the last call of {@link prepare}. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** @param unsaved contents that differ from those on disk, by their paths */
  prepare(unsaved: Readonly<Record<string, string>>): void {
    this.#isUsed = false;
    this.#unsaved = new Map(
      Object.entries(unsaved).map(([path, content]) => [resolve(path), content]),
    );
  }

  #loadCompiled(): void {
    const load = loader._extensions[".js"];
    if (load === undefined) return;
    loader._extensions[".js"] = (module, file) => {
      const found = this.#compiled.get(file);
      if (found === undefined || !this.#isStale(found)) load(module, file);
      else module._compile(this.#compile(file, found.source), file);
    };
  }

  #isStale({ source, version }: CompiledFile): boolean {
    return this.#unsaved.has(source) || versionOf(source) !== version;
  }

  #compile(file: string, source: string): string {
    this.#isUsed = true;
    const text = fs.readFileSync(source, "utf8");
    const known = this.#outputs.get(file);
    this.#compiler ??= projectCompiler(source);
    const output =
      known?.source === text ? known : { source: text, ...this.#compiler(source, text) };
    this.#outputs.set(file, output);
    this.#positions.set(file, output.map);
    return output.code;
  }

  /** Makes this process read what the editor has not saved in place of the files. */
  #readUnsaved(): void {
    const read = fs.readFileSync;
    const replaced = (path: unknown, ...rest: readonly unknown[]): unknown => {
      const content = typeof path === "string" ? this.#unsaved.get(resolve(path)) : undefined;
      if (content === undefined) return Reflect.apply(read, fs, [path, ...rest]);
      return rest[0] === undefined ? Buffer.from(content) : content;
    };
    Object.assign(fs, { readFileSync: replaced });
  }
}

function versionOf(file: string): string {
  const { mtimeMs, size } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs}:${size}`;
}
