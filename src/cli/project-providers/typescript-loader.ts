import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { type Compiler, optionsOf, problemText, withSource } from "../app-process/fresh-sources";

interface Loaded extends NodeJS.Module {
  readonly _compile: (code: string, file: string) => void;
}

/** The parts of Node.js's module loader that load files of other kinds. They are not in its documentation. */
interface Loader {
  readonly _extensions: Record<string, (module: Loaded, file: string) => void>;
  _resolveFilename: (request: string, parent: NodeJS.Module | null, ...rest: unknown[]) => string;
}

const loader = Module as unknown as Loader;

/** Turns a TypeScript file into a CommonJS module, with its source map inside. */
type Compile = (source: string) => string;

/**
 * Lets this process load TypeScript, with the compiler of the project. Types are not checked: the app's own command
 * does that.
 *
 * @param file a file of the project
 */
export function loadTypeScript(file: string): void {
  if (loader._extensions[".ts"] !== undefined) return;
  let compile: Compile | undefined;
  loader._extensions[".ts"] = (module, source) => {
    compile ??= compilerFor(file);
    module._compile(compile(source), source);
  };
  findSources();
}

/** @throws Error if the project has no compiler that can be called */
function compilerFor(file: string): Compile {
  const typescript = packageOf(file, "typescript") as Partial<Compiler> | undefined;
  // Version 7 is a program of its own.
  if (typescript?.transpileModule !== undefined)
    return withTypeScript(typescript as Compiler, file);
  const esbuild = packageOf(file, "esbuild") as Esbuild | undefined;
  if (esbuild !== undefined) return withEsbuild(esbuild);
  throw new Error(
    `loading ${file} needs a compiler that can be called: run \`npm install --save-dev esbuild\`, ` +
      "or install version 5 of typescript",
  );
}

function packageOf(file: string, name: string): unknown {
  try {
    return createRequire(file)(name) as unknown;
  } catch {
    return undefined;
  }
}

/** The part of esbuild that is called. */
interface Esbuild {
  readonly transformSync: (
    text: string,
    options: Readonly<Record<string, unknown>>,
  ) => { readonly code: string };
}

const withEsbuild =
  (esbuild: Esbuild): Compile =>
  (source) =>
    esbuild.transformSync(readFileSync(source, "utf8"), {
      loader: "ts",
      format: "cjs",
      target: "node20",
      sourcemap: "inline",
      sourcefile: source,
    }).code;

function withTypeScript(compiler: Compiler, file: string): Compile {
  const compilerOptions = optionsOf(compiler, file);
  return (source) => {
    const { outputText, sourceMapText, diagnostics } = compiler.transpileModule(
      readFileSync(source, "utf8"),
      { fileName: source, reportDiagnostics: true, compilerOptions },
    );
    const [problem] = diagnostics ?? [];
    if (problem !== undefined) throw new SyntaxError(problemText(compiler, problem));
    const map = Buffer.from(withSource(sourceMapText ?? "{}", source)).toString("base64");
    const url = `data:application/json;base64,${map}`;
    return outputText.replace(/(\/\/# sourceMappingURL=)\S*\s*$/, `$1${url}\n`);
  };
}

/** Finds `./note.ts` for an import of `./note.js`, as the compiler does. */
function findSources(): void {
  const resolve = loader._resolveFilename;
  loader._resolveFilename = (request, parent, ...rest) => {
    try {
      return resolve(request, parent, ...rest);
    } catch (failure) {
      if (!/^\.{1,2}\/.*\.js$/.test(request)) throw failure;
      return resolve(request.replace(/js$/, "ts"), parent, ...rest);
    }
  };
}
