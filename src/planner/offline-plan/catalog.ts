import { createRequire } from "node:module";
import { join } from "node:path";
import { embedProvider, type ProviderRoutes } from "../../core/provider-kit/protocol";
import { builtinSource } from "./configuration";
import type { StartedProvider } from "./evaluation";
import { PlanningProvider, type ProviderSchemas } from "./provider";
import { type ProviderAnswers, ProviderCalls, RememberedAnswers } from "./provider-calls";
import { builtinRoutes } from "./terraform-data";

/** Finds a provider by its source address, such as `trivet.local/trivet/ids`, if it is built with the kit. */
type FindRoutes = (
  source: string,
) => ProviderRoutes | undefined | Promise<ProviderRoutes | undefined>;

/** What is kept between plans. */
interface Kept {
  readonly find: FindRoutes;
  readonly schemas: Map<string, ProviderSchemas>;
  /** Undefined if every plan asks the providers again. */
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

  /** @param isRemembering true if plans ask only about what has changed, as while somebody edits */
  static of(find: FindRoutes, isRemembering = false): ProviderCatalog {
    const answers: ProviderAnswers | undefined = isRemembering
      ? new RememberedAnswers()
      : undefined;
    return new ProviderCatalog({ find, schemas: new Map(), answers }, new Map());
  }

  /** Returns a catalog that also has other providers, which take precedence, and of which nothing is kept. */
  with(others: ReadonlyMap<string, ProviderRoutes>): ProviderCatalog {
    return new ProviderCatalog(this.#kept, others);
  }

  /** Forgets the answers of earlier plans, when something has changed on which they can depend. */
  forget(): void {
    this.#kept.answers?.forget();
  }

  /**
   * Starts providers for one plan, which configures them.
   *
   * @param names the names of the configurations, such as `ids` or `ids.second`, with their source addresses
   * @returns the providers by name, without those that the catalog does not have
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

interface BuiltProvider {
  /** Such as `ids`. */
  readonly name: string;
  /** The folder with its main module, `provider.cjs`. */
  readonly folder: string;
}

/**
 * Returns a catalog of built providers. Each is loaded into this process when a stack first needs it.
 *
 * @param isRemembering true if plans ask only about what has changed
 */
export const builtProviders = (
  providers: readonly BuiltProvider[],
  isRemembering = false,
): ProviderCatalog => ProviderCatalog.of(builtRoutes(providers), isRemembering);

/** The loaded providers, by folder. A module registers its provider only when it is first loaded. */
const loaded = new Map<string, ReturnType<typeof embedProvider>>();

/** Returns a function that finds a built provider by its source address, and loads it when it is first found. */
export function builtRoutes(
  providers: readonly BuiltProvider[],
): (source: string) => ProviderRoutes | undefined {
  const load = createRequire(__filename);
  return (source) => {
    const built = providers.find(({ name }) => source.endsWith(`/${name}`));
    if (built === undefined) return undefined;
    if (!loaded.has(built.folder)) {
      loaded.set(
        built.folder,
        embedProvider(() => {
          withoutCodeCache(() => {
            load(join(built.folder, "provider.cjs"));
          });
        }),
      );
    }
    const found = loaded.get(built.folder);
    return found?.source === source ? found.routes : undefined;
  };
}

/**
 * Loads a provider without its code cache, which compiles into the main context of Node.js, where test runners with
 * contexts of their own do not see it, and which writes files.
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
