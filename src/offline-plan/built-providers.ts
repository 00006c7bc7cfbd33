import { createRequire } from "node:module";
import { join } from "node:path";
import { embedProvider } from "../provider-kit/protocol";
import { ProviderCatalog } from "./catalog";

/** A provider that the build has bundled. */
interface BuiltProvider {
  /** Such as `ids`. */
  readonly name: string;
  /** The folder with its main module, `provider.cjs`. */
  readonly folder: string;
}

/** Returns a catalog of built providers. Each is loaded into this process when a stack first needs it. */
export function builtProviders(providers: readonly BuiltProvider[]): ProviderCatalog {
  const load = createRequire(__filename);
  // A module is loaded once, and hands its provider over only then.
  const loaded = new Map<string, ReturnType<typeof embedProvider>>();
  return new ProviderCatalog((source) => {
    const built = providers.find(({ name }) => source.endsWith(`/${name}`));
    if (built === undefined) return undefined;
    if (!loaded.has(built.name)) {
      loaded.set(
        built.name,
        embedProvider(() => {
          load(join(built.folder, "provider.cjs"));
        }),
      );
    }
    const found = loaded.get(built.name);
    return found?.source === source ? found.routes : undefined;
  });
}
