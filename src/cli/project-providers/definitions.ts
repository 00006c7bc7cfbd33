import Module from "node:module";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isRecord } from "../../core/json/plain-json";
import type { ErasedProvider, providerRoutes } from "../../core/provider-kit";
import type { ProviderRoutes } from "../../core/provider-kit/host";
import { type Compile, projectCompiler } from "../user-code/project-compiler";
import { kitPackage } from "./provider-file";

/** A provider that a file of the project exports. */
export interface ProjectProvider {
  readonly source: string;
  readonly definition: ErasedProvider<unknown>;
  readonly routes: ProviderRoutes;
  /** Returns the name under which the file exports a value; undefined if it does not. */
  readonly exportedName: (value: unknown) => string | undefined;
}

/**
 * Loads the providers that a file of the project exports. They are served by the project's own copy of the kit.
 *
 * @param around changes the handlers of a definition
 * @throws Error if the file cannot be loaded, or a provider has no usable source
 */
export function loadProviders(
  path: string,
  around: (definition: ErasedProvider<unknown>) => ErasedProvider<unknown> = (same) => same,
): readonly ProjectProvider[] {
  const load = createRequire(path);
  const kit = load(kitPackage) as { readonly providerRoutes: typeof providerRoutes };
  if (path.endsWith(".ts")) loadTypeScript(path);
  const module: unknown = load(path);
  const exported = isRecord(module) ? module : {};
  const exportedName = (value: unknown): string | undefined =>
    Object.keys(exported).find((name) => exported[name] === value);
  const definitions = Object.values(exported).filter(isDefinition);
  return [...new Set(definitions)].map((found) => {
    const definition = around(found);
    const routes = kit.providerRoutes(definition);
    return { source: sourceOf(found, path), definition, routes, exportedName };
  });
}

function isDefinition(value: unknown): value is ErasedProvider<unknown> {
  if (!isRecord(value) || typeof value["configure"] !== "function") return false;
  const { declaration, resources } = value;
  return isRecord(declaration) && declaration["kind"] === "provider" && Array.isArray(resources);
}

function sourceOf({ declaration }: ErasedProvider<unknown>, path: string): string {
  const { type, source } = declaration;
  if (source === undefined) {
    throw new Error(
      `${path}: the declaration of the provider ${type} has no source: ` +
        `write provider("${type}", { source: "example.com/acme/${type}", … })`,
    );
  }
  if (/^(?:[^/\s]+\/){1,2}[^/\s]+$/.test(source)) return source;
  throw new Error(
    `${path}: the source of a provider must be like "example.com/acme/notes" (got "${source}")`,
  );
}

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
function loadTypeScript(file: string): void {
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
