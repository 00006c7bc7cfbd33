import { createRequire } from "node:module";
import { join } from "node:path";
import { embedProvider, type ProviderRoutes } from "../../core/provider-kit/protocol";
import { ProviderCatalog } from "./catalog";

/** A provider that the build has bundled. */
interface BuiltProvider {
  /** Such as `ids`. */
  readonly name: string;
  /** The folder with its main module, `provider.cjs`. */
  readonly folder: string;
}

/**
 * Returns a catalog of built providers. Each is loaded into this process when a stack first needs it.
 *
 * @param isRemembering true if plans ask again only about what has changed
 */
export const builtProviders = (
  providers: readonly BuiltProvider[],
  isRemembering = false,
): ProviderCatalog => ProviderCatalog.of(builtRoutes(providers), isRemembering);

/** Finds built providers by their source addresses. Each is loaded into this process when it is first found. */
export function builtRoutes(
  providers: readonly BuiltProvider[],
): (source: string) => ProviderRoutes | undefined {
  const load = createRequire(__filename);
  // A module is loaded once, and hands its provider over only then.
  const loaded = new Map<string, ReturnType<typeof embedProvider>>();
  return (source) => {
    const built = providers.find(({ name }) => source.endsWith(`/${name}`));
    if (built === undefined) return undefined;
    if (!loaded.has(built.name)) {
      loaded.set(
        built.name,
        embedProvider(() => {
          withoutCodeCache(() => {
            load(join(built.folder, "provider.cjs"));
          });
        }),
      );
    }
    const found = loaded.get(built.name);
    return found?.source === source ? found.routes : undefined;
  };
}

/**
 * Lets a provider load its code in the usual way. From its cache, it would be compiled into the main context of
 * Node.js, where a test runner that has contexts of its own does not see it. And nothing must be written.
 */
function withoutCodeCache(load: () => void): void {
  const before = process.env["TRIVET_CODE_CACHE"];
  process.env["TRIVET_CODE_CACHE"] = "0";
  try {
    load();
  } finally {
    if (before === undefined) delete process.env["TRIVET_CODE_CACHE"];
    else process.env["TRIVET_CODE_CACHE"] = before;
  }
}
