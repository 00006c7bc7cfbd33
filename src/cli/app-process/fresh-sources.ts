import fs from "node:fs";
import Module from "node:module";
import { resolve } from "node:path";
import { type Compile, type CompiledSource, projectCompiler } from "../user-code/project-compiler";
import { type SourcePositions, sourcesOf } from "../user-code/source-position";

/** How Node.js loads a JavaScript file. */
type LoadFile = (
  module: NodeJS.Module & { _compile: (code: string, file: string) => void },
  file: string,
) => void;

interface CompiledFile {
  readonly source: string;
  /** The state of the source when the app's own compiler read it. */
  readonly version: string;
}

/** What was made from a text. */
interface Output extends CompiledSource {
  readonly source: string;
}

/**
 * Lets an app run again with its newest sources.
 *
 * An app whose compiler writes files (`tsc && node build/main.js`) would run the old ones: those whose source has
 * changed are compiled here instead, as they are loaded. ts-node and tsx do that themselves, and need nothing but
 * what the editor has not saved.
 */
export class FreshSources {
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

  /** Checks whether sources were compiled here since the last call of {@link prepare}. */
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
    const { _extensions: extensions } = Module as unknown as {
      readonly _extensions: Record<string, LoadFile>;
    };
    const load = extensions[".js"];
    if (load === undefined) return;
    extensions[".js"] = (module, file) => {
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

  /** Lets everything in this process that reads a file read what the editor has not saved. */
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
