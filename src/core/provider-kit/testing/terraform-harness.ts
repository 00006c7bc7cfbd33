import type { Declaration } from "../../schema/declaration";
import type { ListDeclaration } from "../../schema/list-resource";
import type { Values } from "../../schema/resource-rule";
import { ActionHarness, DataSourceHarness, ListResourceHarness } from "./operation-harnesses";
import { WireValues } from "./wire-values";
import type { ProviderCalls } from "../core/resource-calls";
import { ResourceHarness } from "./resource-harness";
import { type CoreDiagnostic, readDiagnostics } from "../core/diagnostic";

/** The options of a {@link TerraformHarness}. */
export interface TerraformHarnessOptions extends RequestOptions {
  /** The Terraform version that `configure` receives. @default "1.11.4" */
  readonly terraformVersion?: string | undefined;
}

/**
 * Drives a provider as Terraform's core does, for tests. It proposes states, checks responses, and
 * keeps data between steps like Terraform.
 *
 * Values are plain JavaScript with the names of the declaration. You can omit null values. A value
 * that is not known yet is `UNKNOWN`. Nothing here throws because of a provider's response: its
 * diagnostics, and Terraform's diagnostics about its responses, are returned as data.
 */
export class TerraformHarness {
  readonly #provider: ProviderCalls;
  readonly #terraformVersion: string;

  constructor(provider: ProviderCalls, options: TerraformHarnessOptions) {
    this.#provider = withOptions(provider, options);
    this.#terraformVersion = options.terraformVersion ?? "1.11.4";
  }

  /** Validates the provider's settings. */
  async validate(declaration: Declaration, config: Values): Promise<CoreDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateProviderConfig({
      config: new WireValues(declaration).encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** Configures the provider, as every step except validation requires. */
  async configure(declaration: Declaration, config: Values = {}): Promise<CoreDiagnostic[]> {
    const { diagnostics } = await this.#provider.configureProvider({
      terraformVersion: this.#terraformVersion,
      config: new WireValues(declaration).encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** Returns the harness for resources of one type. */
  resource(declaration: Declaration): ResourceHarness {
    return new ResourceHarness(this.#provider, declaration);
  }

  /** Returns the harness for data sources of one type. */
  dataSource(declaration: Declaration): DataSourceHarness {
    return new DataSourceHarness(this.#provider, declaration);
  }

  /** Returns the harness for an action. */
  action(declaration: Declaration): ActionHarness {
    return new ActionHarness(this.#provider, declaration);
  }

  /** Returns the harness for a list of resources. */
  listResource(declaration: ListDeclaration): ListResourceHarness {
    return new ListResourceHarness(this.#provider, declaration);
  }
}

/**
 * Creates a {@link TerraformHarness} for a provider that runs in this process or in a separate one.
 *
 * @param provider the result of `startProvider` or `spawnProvider`
 */
export function createTerraformHarness(
  provider: ProviderCalls,
  options: TerraformHarnessOptions = {},
): TerraformHarness {
  return new TerraformHarness(provider, options);
}

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
function withOptions(
  provider: ProviderCalls,
  { meta, allowDeferral = false }: RequestOptions,
): ProviderCalls {
  if (meta === undefined && !allowDeferral) return provider;
  const metadata = meta && {
    providerMeta: new WireValues(meta.declaration).encode(meta.values),
  };
  const capabilities = allowDeferral && { clientCapabilities: { deferralAllowed: true } };
  return {
    ...provider,
    configureProvider: (request) => provider.configureProvider({ ...request, ...capabilities }),
    readResource: (request) => provider.readResource({ ...request, ...metadata, ...capabilities }),
    planResourceChange: (request) =>
      provider.planResourceChange({ ...request, ...metadata, ...capabilities }),
    applyResourceChange: (request) => provider.applyResourceChange({ ...request, ...metadata }),
    importResourceState: (request) => provider.importResourceState({ ...request, ...capabilities }),
    readDataSource: (request) =>
      provider.readDataSource({ ...request, ...metadata, ...capabilities }),
  };
}
