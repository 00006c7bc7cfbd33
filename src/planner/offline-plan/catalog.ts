import type { ProviderRoutes } from "../../core/provider-kit/protocol";
import type { StartedProvider } from "./evaluation";
import { PlanningProvider, type ProviderSchemas } from "./provider";
import { type ProviderAnswers, ProviderCalls } from "./provider-calls";
import { RememberedAnswers } from "./remembered-answers";
import { builtinRoutes, builtinSource } from "./terraform-data";

/**
 * Finds a provider by its source address, such as `trivet.local/trivet/ids`. Returns undefined for one that is not
 * built with the kit.
 */
type FindRoutes = (
  source: string,
) => ProviderRoutes | undefined | Promise<ProviderRoutes | undefined>;

/** What is kept of providers that stay the same. */
interface Kept {
  readonly find: FindRoutes;
  readonly schemas: Map<string, ProviderSchemas>;
  /** Undefined if every plan asks about everything. */
  readonly answers: ProviderAnswers | undefined;
}

/** The providers that can plan in this process. */
export class ProviderCatalog {
  readonly #kept: Kept;
  readonly #others: ReadonlyMap<string, ProviderRoutes>;

  private constructor(kept: Kept, others: ReadonlyMap<string, ProviderRoutes>) {
    this.#kept = kept;
    this.#others = others;
  }

  /** @param isRemembering true if plans ask again only about what has changed, as while somebody writes */
  static of(find: FindRoutes, isRemembering = false): ProviderCatalog {
    const answers: ProviderAnswers | undefined = isRemembering
      ? new RememberedAnswers()
      : undefined;
    return new ProviderCatalog({ find, schemas: new Map(), answers }, new Map());
  }

  /** Returns a catalog that also has others, which take precedence, and of which nothing is kept. */
  with(others: ReadonlyMap<string, ProviderRoutes>): ProviderCatalog {
    return new ProviderCatalog(this.#kept, others);
  }

  /** Forgets the answers of earlier plans, because something has changed on which they can depend. */
  forget(): void {
    this.#kept.answers?.forget();
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
      const found = await this.#start(source);
      if (found !== undefined) started.set(name, found);
    }
    return started;
  }

  async #start(source: string): Promise<StartedProvider | undefined> {
    const other = this.#others.get(source);
    if (other !== undefined) {
      const provider = new PlanningProvider(await ProviderCalls.start(source, other, {}));
      return { provider, schemas: await provider.schemas() };
    }
    const { find, schemas: known, answers } = this.#kept;
    const routes = source === builtinSource ? builtinRoutes() : await find(source);
    if (routes === undefined) return undefined;
    const calls = await ProviderCalls.start(source, routes, { answers });
    const provider = new PlanningProvider(calls);
    const schemas = known.get(source) ?? (await provider.schemas());
    known.set(source, schemas);
    return { provider, schemas };
  }
}
