import {
  implement,
  implementDataSource,
  known,
  type ProviderDefinition,
  ProviderError,
  providerRoutes,
} from "../../../../../src/core/provider-kit";
import {
  computed,
  dataSource,
  optional,
  provider,
  required,
  resource,
  t,
} from "../../../../../src/core/schema";

const doc = "x";

export const settings = provider("shop", { doc, attributes: {} });

export const saw = resource("shop_saw", {
  doc,
  attributes: {
    name: required(t.string(), { doc, requiresReplace: true }),
    teeth: optional(t.integer(), { doc }),
    code: optional(t.string(), { doc, sensitive: true }),
    sawId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
    stock: computed(t.integer(), { doc }),
  },
  importId: ["{sawId}"],
});

const catalogue = dataSource("shop_catalogue", {
  doc,
  attributes: { names: computed(t.list(t.string()), { doc }) },
});

interface Saw {
  readonly name: string;
  readonly teeth: bigint | number | null;
  readonly code: string | null;
  readonly sawId: string;
  readonly stock: bigint | number;
}

export const source = "example.test/tools/shop";

/** A back end in memory, and a provider for it. */
export class Shop {
  readonly saws = new Map<string, Saw>();
  /** Runs before a saw is created. */
  work: () => Promise<void> = () => Promise.resolve();
  /** What a read makes of a saw. */
  look: (saw: Saw) => Saw = (found) => found;
  #made = 0;

  get routes() {
    return providerRoutes(this.#definition);
  }

  /** Changes a saw outside Terraform. */
  change(name: string, change: Partial<Saw>): void {
    for (const [id, each] of this.saws) {
      if (each.name === name) this.saws.set(id, { ...each, ...change });
    }
  }

  readonly #definition: ProviderDefinition<typeof settings, unknown> = {
    declaration: settings,
    configure: () => null,
    resources: [
      implement(saw)<unknown>({
        create: async (plan) => {
          await this.work();
          if (plan.name === "broken") {
            throw new ProviderError({ summary: "No Steel", detail: "There is no steel\nat all." });
          }
          this.#made += 1;
          const made = known({ ...plan, sawId: `saw-${this.#made}`, stock: 1 });
          this.saws.set(made.sawId, made);
          return made;
        },
        read: (state) => {
          const found = this.saws.get(state.sawId ?? "");
          return Promise.resolve(found && this.look(found));
        },
        update: (plan, state) => {
          const made = known({ ...plan, sawId: state.sawId ?? "", stock: 1 });
          this.saws.set(made.sawId, made);
          return Promise.resolve(made);
        },
        delete: ({ name, sawId }) => {
          if (name === "stuck") throw new ProviderError({ summary: "Stuck", detail: "It is." });
          this.saws.delete(sawId ?? "");
          return Promise.resolve();
        },
      }),
    ],
    dataSources: [
      implementDataSource(catalogue)<unknown>({
        read: () => Promise.resolve({ names: [...this.saws.values()].map(({ name }) => name) }),
      }),
    ],
  };
}
