import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN } from "../../schema/unknown";
import { isRecord } from "../../json/plain-json";
import { containsUnknown } from "../plan/conformity";
import { WireValues } from "./wire-values";
import {
  coreDiagnostics,
  type HarnessDiagnostic,
  isError,
  readDiagnostics,
} from "./harness-diagnostic";
import type { ProviderCalls } from "./provider-client";
import { proposedState } from "./core/proposed-state";
import { readDeferral } from "./resource-calls";
import type { DeferralReason } from "../server/provider-error";

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
  readonly diagnostics: readonly HarnessDiagnostic[];
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
  async validate(config: Values): Promise<HarnessDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateDataResourceConfig({
      typeName: this.#values.declaration.type,
      config: this.#values.encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** Reads a data source. While its configuration contains unknown values, the read is deferred. */
  async read(config: Values): Promise<DataSourceRead> {
    const { declaration } = this.#values;
    const given = this.#values.fill(config);
    const proposed = proposedState(declaration, UNKNOWN, given);
    const later = { state: isRecord(proposed) ? proposed : null, isDeferred: true };
    if (containsUnknown(given)) return { ...later, diagnostics: [] };
    const response = await this.#provider.readDataSource({
      typeName: declaration.type,
      config: this.#values.encode(given),
    });
    const diagnostics = readDiagnostics(response.diagnostics);
    if (diagnostics.some(isError)) return { state: null, isDeferred: false, diagnostics };
    const deferral = readDeferral(response);
    if (deferral !== undefined) return { ...later, deferral, diagnostics };
    const state = this.#values.decode(response.state) ?? null;
    const refuse = (summary: string, message: string): DataSourceRead => {
      const problems = [{ path: [], message }];
      const refused = coreDiagnostics(summary, declaration, problems);
      return { state: null, isDeferred: false, diagnostics: [...diagnostics, ...refused] };
    };
    if (state === null) {
      return refuse("Provider produced null object", "the provider returned no state");
    }
    if (containsUnknown(state)) {
      return refuse("Provider produced invalid object", "the provider left values unknown");
    }
    return { state, isDeferred: false, diagnostics };
  }
}
