import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { DataSourceHarness } from "./data-source-harness";
import { WireValues } from "./wire-values";
import { type HarnessDiagnostic, readDiagnostics } from "./harness-diagnostic";
import type { ProviderCalls } from "./provider-client";
import { ResourceHarness } from "./resource-harness";

/** How a {@link TerraformHarness} behaves. */
export interface TerraformHarnessOptions {
  /** The version that the provider is told when it is configured. @default "1.11.4" */
  readonly terraformVersion?: string | undefined;
}

/**
 * Drives a provider as Terraform's core does, for tests: what it proposes, what it checks, and what it
 * keeps from one step to the next are Terraform's.
 *
 * Values are plain JavaScript under the names of the declaration, and may leave out what is null. A value
 * that is not known yet is `UNKNOWN`. Nothing here throws because of what a provider answers: its
 * diagnostics, and those of Terraform about its answers, are data.
 */
export class TerraformHarness {
  readonly #provider: ProviderCalls;
  readonly #terraformVersion: string;

  constructor(provider: ProviderCalls, { terraformVersion = "1.11.4" }: TerraformHarnessOptions) {
    this.#provider = provider;
    this.#terraformVersion = terraformVersion;
  }

  /** Validates the provider's settings; `terraform validate` does no more. */
  async validate(declaration: Declaration, config: Values): Promise<HarnessDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateProviderConfig({
      config: new WireValues(declaration).encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** Configures the provider, which every step but a validation needs. */
  async configure(declaration: Declaration, config: Values = {}): Promise<HarnessDiagnostic[]> {
    const { diagnostics } = await this.#provider.configureProvider({
      terraformVersion: this.#terraformVersion,
      config: new WireValues(declaration).encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** The steps of resources of one type. */
  resource(declaration: Declaration): ResourceHarness {
    return new ResourceHarness(this.#provider, declaration);
  }

  /** The steps of data sources of one type. */
  dataSource(declaration: Declaration): DataSourceHarness {
    return new DataSourceHarness(this.#provider, declaration);
  }
}

/**
 * Makes a {@link TerraformHarness} for a provider that runs in this process or in one of its own.
 *
 * @param provider what `startProvider` or `spawnProvider` gives
 */
export function createTerraformHarness(
  provider: ProviderCalls,
  options: TerraformHarnessOptions = {},
): TerraformHarness {
  return new TerraformHarness(provider, options);
}
