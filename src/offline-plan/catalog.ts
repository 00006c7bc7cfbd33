import type { ProviderRoutes } from "../provider-kit/protocol";
import type { StartedProvider } from "./evaluation";
import { OfflineProvider, type ProviderSchemas } from "./provider";

/**
 * Finds a provider by its source address, such as `trivet.local/trivet/ids`. Returns undefined for one that is not
 * built with the kit.
 */
type FindRoutes = (
  source: string,
) => ProviderRoutes | undefined | Promise<ProviderRoutes | undefined>;

/** The providers that can plan in this process. Their schemas are read once. */
export class ProviderCatalog {
  readonly #find: FindRoutes;
  readonly #schemas = new Map<string, ProviderSchemas>();

  constructor(find: FindRoutes) {
    this.#find = find;
  }

  /** Returns a catalog that also has others, which take precedence. */
  with(others: ReadonlyMap<string, ProviderRoutes>): ProviderCatalog {
    return new ProviderCatalog((source) => others.get(source) ?? this.#find(source));
  }

  /**
   * Starts providers for one plan, which configures them.
   *
   * @param names the names of the configurations, such as `ids` or `ids.second`, with their source addresses
   * @returns by name; without the providers that are not in the catalog
   */
  async start(names: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, StartedProvider>> {
    const started = new Map<string, StartedProvider>();
    for (const [name, source] of names) {
      const routes = await this.#find(source);
      if (routes === undefined) continue;
      const provider = await OfflineProvider.start(source, routes);
      const schemas = this.#schemas.get(source) ?? (await provider.schemas());
      this.#schemas.set(source, schemas);
      started.set(name, { provider, schemas });
    }
    return started;
  }
}
