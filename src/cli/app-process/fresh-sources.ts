import fs from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import type * as TypeScript from "typescript";
import { type SourcePositions, sourcesOf } from "./source-position";

type Compiler = typeof TypeScript;

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

/**
 * Lets an app run again with its newest sources.
 *
 * An app whose compiler writes files (`tsc && node build/main.js`) would run the old ones: those whose source has
 * changed are compiled here instead, as they are loaded. ts-node and tsx do that themselves.
 */
export class FreshSources {
  readonly #compiled = new Map<string, CompiledFile>();
  readonly #positions: SourcePositions;
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
  }

  /** Checks whether sources were compiled here since the last call of {@link prepare}. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Begins another run. */
  prepare(): void {
    this.#isUsed = false;
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
    return versionOf(source) !== version;
  }

  #compile(file: string, source: string): string {
    this.#isUsed = true;
    const compiler = (this.#compiler ??= createRequire(source)("typescript") as Compiler);
    const { outputText, sourceMapText, diagnostics } = compiler.transpileModule(
      fs.readFileSync(source, "utf8"),
      {
        fileName: source,
        reportDiagnostics: true,
        compilerOptions: (this.#options ??= optionsOf(compiler, source)),
      },
    );
    const [problem] = diagnostics ?? [];
    if (problem !== undefined) throw new SyntaxError(describe(compiler, problem));
    const map = withSource(sourceMapText ?? "{}", source);
    this.#positions.set(file, map);
    // For Node.js, which formats stack traces with the maps that it has read.
    const url = `data:application/json;base64,${Buffer.from(map).toString("base64")}`;
    return outputText.replace(/(\/\/# sourceMappingURL=)\S*\s*$/, `$1${url}\n`);
  }
}

function versionOf(file: string): string {
  const { mtimeMs, size } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs}:${size}`;
}

function optionsOf(compiler: Compiler, source: string): TypeScript.CompilerOptions {
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
function describe(
  compiler: Compiler,
  { file, start = 0, code, messageText }: TypeScript.Diagnostic,
): string {
  const message = compiler.flattenDiagnosticMessageText(messageText, "\n");
  if (file === undefined) return `error TS${code}: ${message}`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName}(${line + 1},${character + 1}): error TS${code}: ${message}`;
}

/** The map of a transpiled file names its source without a folder. */
const withSource = (map: string, source: string): string =>
  map.replace(/"sources":\["[^"]*"\]/, () => `"sources":[${JSON.stringify(source)}]`);
