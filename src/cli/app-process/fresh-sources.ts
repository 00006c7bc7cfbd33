import fs from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type * as TypeScript from "typescript";
import { type SourcePositions, sourcesOf } from "../user-code/source-position";

export type Compiler = typeof TypeScript;

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

/** The compiled text of a file. */
interface Output {
  readonly source: string;
  readonly code: string;
  readonly map: string;
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
  #options: TypeScript.CompilerOptions | undefined;
  #compiler: Compiler | undefined;

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
    const output = known?.source === text ? known : this.#transpile(source, text);
    this.#outputs.set(file, output);
    this.#positions.set(file, output.map);
    return output.code;
  }

  #transpile(path: string, source: string): Output {
    const compiler = (this.#compiler ??= createRequire(path)("typescript") as Compiler);
    const { outputText, sourceMapText, diagnostics } = compiler.transpileModule(source, {
      fileName: path,
      reportDiagnostics: true,
      compilerOptions: (this.#options ??= optionsOf(compiler, path)),
    });
    const [problem] = diagnostics ?? [];
    if (problem !== undefined) throw new SyntaxError(problemText(compiler, problem));
    const map = withSource(sourceMapText ?? "{}", path);
    // For Node.js, which formats stack traces with the maps that it has read.
    const url = `data:application/json;base64,${Buffer.from(map).toString("base64")}`;
    const code = outputText.replace(/(\/\/# sourceMappingURL=)\S*\s*$/, `$1${url}\n`);
    return { source, code, map };
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

/** Returns the options with which the project's compiler makes one CommonJS module from a source. */
export function optionsOf(compiler: Compiler, source: string): TypeScript.CompilerOptions {
  const file = compiler.findConfigFile(dirname(source), (path) => compiler.sys.fileExists(path));
  const read =
    file === undefined ? {} : compiler.readConfigFile(file, (path) => compiler.sys.readFile(path));
  const config: unknown = "config" in read ? read.config : {};
  const { options } = compiler.parseJsonConfigFileContent(
    config,
    compiler.sys,
    file === undefined ? dirname(source) : dirname(file),
  );
  return {
    ...options,
    module: compiler.ModuleKind.CommonJS,
    moduleResolution: compiler.ModuleResolutionKind.Node10,
    esModuleInterop: options.esModuleInterop ?? options.module !== compiler.ModuleKind.CommonJS,
    sourceMap: true,
    inlineSourceMap: false,
  };
}

/** Writes a problem as the compiler does, so that its line is found. */
export function problemText(
  compiler: Compiler,
  { file, start = 0, code, messageText }: TypeScript.Diagnostic,
): string {
  const message = compiler.flattenDiagnosticMessageText(messageText, "\n");
  if (file === undefined) return `error TS${code}: ${message}`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName}(${line + 1},${character + 1}): error TS${code}: ${message}`;
}

/** The map of a transpiled file names its source without a folder. */
export const withSource = (map: string, source: string): string =>
  map.replace(/"sources":\["[^"]*"\]/, () => `"sources":[${JSON.stringify(source)}]`);
