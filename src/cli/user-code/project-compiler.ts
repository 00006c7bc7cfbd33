import { createRequire } from "node:module";
import { dirname, extname } from "node:path";
import type * as TypeScript from "typescript";

export type TypeScriptCompiler = typeof TypeScript;

/** A CommonJS module that was made from a source. */
export interface CompiledSource {
  /** Ends with the source map. Node.js formats stack traces with it. */
  readonly code: string;
  readonly map: string;
}

/** Compiles the text of a source. Types are not checked. */
export type Compile = (path: string, text: string) => CompiledSource;

/**
 * Returns the compiler of a project, for use in this process.
 *
 * @param file a file of the project
 * @throws Error if the project has no compiler that can be called
 */
export function projectCompiler(file: string): Compile {
  const typescript = projectTypeScript(file);
  if (typescript !== undefined) return withTypeScript(typescript, file);
  const esbuild = packageOf(file, "esbuild") as Esbuild | undefined;
  if (esbuild !== undefined) return withEsbuild(esbuild);
  throw new Error(
    `loading ${file} needs a compiler that can be called: run \`npm install --save-dev esbuild\`, ` +
      "or install version 5 of typescript",
  );
}

/**
 * Returns the TypeScript of a project; undefined if it has none that can be called, such as version 7, which is a program.
 *
 * @param file a file of the project
 */
export function projectTypeScript(file: string): TypeScriptCompiler | undefined {
  const found = packageOf(file, "typescript") as Partial<TypeScriptCompiler> | undefined;
  return found?.transpileModule === undefined ? undefined : found;
}

function packageOf(file: string, name: string): unknown {
  try {
    return createRequire(file)(name) as unknown;
  } catch {
    return undefined;
  }
}

interface Esbuild {
  readonly transformSync: (
    text: string,
    options: Readonly<Record<string, unknown>>,
  ) => { readonly code: string; readonly map: string };
}

const withEsbuild =
  (esbuild: Esbuild): Compile =>
  (path, text) => {
    const { code, map } = esbuild.transformSync(text, {
      loader: extname(path) === ".tsx" ? "tsx" : "ts",
      format: "cjs",
      target: "node20",
      sourcemap: "external",
      sourcefile: path,
    });
    return { code: `${code}${mapComment(map)}`, map };
  };

function withTypeScript(compiler: TypeScriptCompiler, file: string): Compile {
  const compilerOptions = optionsOf(compiler, file);
  return (path, text) => {
    const { outputText, sourceMapText, diagnostics } = compiler.transpileModule(text, {
      fileName: path,
      reportDiagnostics: true,
      compilerOptions,
    });
    const [problem] = diagnostics ?? [];
    if (problem !== undefined) throw new SyntaxError(problemText(compiler, problem));
    const map = withSource(sourceMapText ?? "{}", path);
    const code = outputText.replace(/\/\/# sourceMappingURL=\S*\s*$/, () => mapComment(map));
    return { code, map };
  };
}

const mapComment = (map: string): string =>
  `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}\n`;

/** Returns the options with which the project's compiler makes one CommonJS module from a source. */
function optionsOf(compiler: TypeScriptCompiler, source: string): TypeScript.CompilerOptions {
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

/** Formats a problem like the compiler, so that its line is found. */
function problemText(
  compiler: TypeScriptCompiler,
  { file, start = 0, code, messageText }: TypeScript.Diagnostic,
): string {
  const message = compiler.flattenDiagnosticMessageText(messageText, "\n");
  if (file === undefined) return `error TS${code}: ${message}`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName}(${line + 1},${character + 1}): error TS${code}: ${message}`;
}

/** The map of a transpiled file contains the name of its source without a folder. */
const withSource = (map: string, source: string): string =>
  map.replace(/"sources":\["[^"]*"\]/, () => `"sources":[${JSON.stringify(source)}]`);
