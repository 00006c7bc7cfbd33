import { createRequire } from "node:module";
import { isRecord } from "../../core/json/plain-json";
import type { ErasedProvider, providerRoutes } from "../../core/provider-kit";
import type { ProviderRoutes } from "../../core/provider-kit/host";
import { kitPackage } from "./provider-file";
import { loadTypeScript } from "./typescript-loader";

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
