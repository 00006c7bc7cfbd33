import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import type { ProviderCalls } from "./provider-client";
import { WireValues } from "./wire-values";

/** The content of a harness's requests besides the values. */
export interface RequestOptions {
  /**
   * The metadata of the module: the values of its `provider_meta` block, with their declaration.
   *
   * @default the module has no such block
   */
  readonly meta?: { readonly declaration: Declaration; readonly values: Values } | undefined;
  /** True if the provider can defer, as with `terraform plan -allow-deferral`. @default false */
  readonly allowDeferral?: boolean | undefined;
}

/** Returns the same provider, with these options in every request that has them. */
export function withOptions(
  provider: ProviderCalls,
  { meta, allowDeferral = false }: RequestOptions,
): ProviderCalls {
  if (meta === undefined && !allowDeferral) return provider;
  const said = meta && {
    providerMeta: new WireValues(meta.declaration).encode(meta.values),
  };
  const able = allowDeferral && { clientCapabilities: { deferralAllowed: true } };
  return {
    ...provider,
    configureProvider: (request) => provider.configureProvider({ ...request, ...able }),
    readResource: (request) => provider.readResource({ ...request, ...said, ...able }),
    planResourceChange: (request) => provider.planResourceChange({ ...request, ...said, ...able }),
    applyResourceChange: (request) => provider.applyResourceChange({ ...request, ...said }),
    importResourceState: (request) => provider.importResourceState({ ...request, ...able }),
    readDataSource: (request) => provider.readDataSource({ ...request, ...said, ...able }),
  };
}
