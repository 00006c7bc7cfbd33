import { readdirSync } from "node:fs";
import { join } from "node:path";
import { builtProviders } from "../offline-plan/built-providers";
import type { ProviderCatalog } from "../offline-plan/catalog";
import { packageRoot } from "../../core/process/package-root";

let catalog: ProviderCatalog | undefined;

/**
 * Returns the providers of this package. Each is loaded once, when a stack first needs it.
 *
 * @throws Error if they are not built
 */
export function ownProviders(): ProviderCatalog {
  catalog ??= builtProviders(providersIn(join(packageRoot(), "dist", "providers")));
  return catalog;
}

function providersIn(folder: string): Parameters<typeof builtProviders>[0] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, folder: join(folder, name) }));
  } catch (cause) {
    throw new Error(
      `The providers are not built: ${folder} cannot be read. Run \`npm run build\` in the checkout, or reinstall the package.`,
      { cause },
    );
  }
}
