import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import type { ProviderCalls } from "./provider-client";
import { WireValues } from "./wire-values";

/** What the requests of a harness contain besides the values. */
export interface RequestOptions {
  /**
   * What the module says about itself: the values of its `provider_meta` block, with their declaration.
   *
   * @default the module has no such block
   */
  readonly meta?: { readonly declaration: Declaration; readonly values: Values } | undefined;
}

/** The same provider, with these options in every request that has them. */
export function withOptions(provider: ProviderCalls, { meta }: RequestOptions): ProviderCalls {
  if (meta === undefined) return provider;
  const providerMeta = new WireValues(meta.declaration).encode(meta.values);
  return {
    ...provider,
    readResource: (request) => provider.readResource({ ...request, providerMeta }),
    planResourceChange: (request) => provider.planResourceChange({ ...request, providerMeta }),
    applyResourceChange: (request) => provider.applyResourceChange({ ...request, providerMeta }),
    readDataSource: (request) => provider.readDataSource({ ...request, providerMeta }),
  };
}
