import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { askRead, readLater } from "../core/data-source";
import { type CoreDiagnostic, isError, readDiagnostics } from "../core/diagnostic";
import type { DeferralReason, ProviderCalls } from "../core/resource-calls";
import { containsUnknown } from "../cty/unknown";
import { WireValues } from "./wire-values";

/** The result of reading a data source. */
export interface DataSourceRead {
  /** The state; null when the read failed. */
  readonly state: Values | null;
  /**
   * True if the read was deferred, by the provider or because the configuration is not known yet. The
   * computed values are then unknown.
   */
  readonly isDeferred: boolean;
  /** The reason, if the provider has deferred the read. */
  readonly deferral?: DeferralReason | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
}

/** Runs Terraform's steps on data sources of one type. */
export class DataSourceHarness {
  readonly #provider: ProviderCalls;
  readonly #values: WireValues;

  constructor(provider: ProviderCalls, declaration: Declaration) {
    this.#provider = provider;
    this.#values = new WireValues(declaration);
  }

  /** Validates a configuration. */
  async validate(config: Values): Promise<CoreDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateDataResourceConfig({
      typeName: this.#values.declaration.type,
      config: this.#values.encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** Reads a data source. While its configuration contains unknown values, the read is deferred. */
  async read(config: Values): Promise<DataSourceRead> {
    const given = this.#values.fill(config);
    const later = { state: readLater(this.#values.schema, given), isDeferred: true };
    if (containsUnknown(given)) return { ...later, diagnostics: [] };
    const { state, deferral, diagnostics } = await askRead(this.#provider, this.#values, given);
    return deferral === undefined || diagnostics.some(isError)
      ? { state, isDeferred: false, diagnostics }
      : { ...later, deferral, diagnostics };
  }
}
