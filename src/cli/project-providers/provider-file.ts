import { existsSync, readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { isRecord } from "../../core/json/plain-json";
import type { ErasedProvider, providerRoutes } from "../../core/provider-kit";
import type { ProviderRoutes } from "../../core/provider-kit/host";
import { CommandError } from "../invocation/failure";
import type { Project } from "../synthesis/project";
import { type Compile, projectCompiler } from "../user-code/project-compiler";

/** The package with which providers are written. */
export const kitPackage = "@trivet/provider-kit";

const usualNames = ["providers.ts", "providers.js", "providers.cjs"];

/** The file of a project that exports its own providers. */
export interface ProviderFile {
  readonly path: string;
  /** True if cdktf.json contains its path. Without that, a file with the usual name may be about something else. */
  readonly isNamed: boolean;
}

/**
 * Finds the file with the providers of a project: `providers` in the context of cdktf.json, otherwise `providers.ts` beside
 * it. Returns undefined if the project has none.
 *
 * @throws CommandError if the file in cdktf.json does not exist, or if the kit is not installed
 */
export function providerFile({ folder, context }: Project): ProviderFile | undefined {
  const named = context?.["providers"];
  if (typeof named === "string" && named !== "") {
    const path = resolve(folder, named);
    if (!existsSync(path)) {
      throw new CommandError(
        `The file with the project's providers does not exist: ${path}.`,
        'Correct "providers" in the context of cdktf.json.',
      );
    }
    if (!hasKit(path)) {
      throw new CommandError(
        `${path} needs the package ${kitPackage}, which is not installed.`,
        `Run \`npm install ${kitPackage}\`.`,
      );
    }
    return { path, isNamed: true };
  }
  const path = usualNames.map((name) => join(folder, name)).find((each) => existsSync(each));
  return path === undefined || !hasKit(path) ? undefined : { path, isNamed: false };
}

/** Without the kit, a file cannot define a provider. */
function hasKit(path: string): boolean {
  try {
    createRequire(path).resolve(kitPackage);
    return true;
  } catch {
    return false;
  }
}

/** A provider that a file of the project exports. */
export interface ProjectProvider {
  readonly source: string;
  readonly definition: ErasedProvider<unknown>;
  readonly routes: ProviderRoutes;
  /** Returns the name under which the file exports a value; undefined if it does not. */
  readonly exportedName: (value: unknown) => string | undefined;
}

/**
 * Loads the providers that a file of the project exports. The project's own copy of the kit serves them.
 *
 * @param around changes the handlers of a definition
 * @throws Error if the file cannot be loaded, or if the source of a provider is missing or invalid
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

/** The parts of Node.js's module loader that load files of other kinds. Its documentation does not describe them. */
interface Loader {
  readonly _extensions: Record<string, (module: Loaded, file: string) => void>;
  _resolveFilename: (request: string, parent: NodeJS.Module | null, ...rest: unknown[]) => string;
}

const loader = Module as unknown as Loader;

/**
 * Lets this process load TypeScript with the compiler of the project. It does not check types, which the app's own command
 * does.
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

/** Finds `./note.ts` for an import of `./note.js`, like the compiler. */
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
