import { createRequire } from "node:module";
import { join } from "node:path";
import { ProviderCatalog } from "../../offline-plan/catalog";
import { embedProvider } from "../../provider-kit/protocol";
import { builtPackages } from "../package/built-package";
import { packageRoot } from "../package/package-root";

/**
 * Returns the providers of this package, which run in this process.
 *
 * @throws CommandError if they are not built
 */
export async function builtProviders(): Promise<ProviderCatalog> {
  const packages = await builtPackages(packageRoot());
  const load = createRequire(__filename);
  // A module is loaded once, and hands its provider over only then.
  const loaded = new Map<string, ReturnType<typeof embedProvider>>();
  return new ProviderCatalog((source) => {
    const built = packages.find(({ name }) => source.endsWith(`/${name}`));
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
