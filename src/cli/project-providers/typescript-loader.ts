import { readFileSync } from "node:fs";
import Module from "node:module";
import { type Compile, projectCompiler } from "../user-code/project-compiler";

interface Loaded extends NodeJS.Module {
  readonly _compile: (code: string, file: string) => void;
}

/** The parts of Node.js's module loader that load files of other kinds. They are not in its documentation. */
interface Loader {
  readonly _extensions: Record<string, (module: Loaded, file: string) => void>;
  _resolveFilename: (request: string, parent: NodeJS.Module | null, ...rest: unknown[]) => string;
}

const loader = Module as unknown as Loader;

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
    compile ??= projectCompiler(file);
    module._compile(compile(source, readFileSync(source, "utf8")).code, source);
  };
  findSources();
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
