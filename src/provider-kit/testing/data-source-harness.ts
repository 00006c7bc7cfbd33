import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN } from "../../schema/unknown";
import { isRecord } from "../../json/is-object";
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

/** What came of reading a data source. */
export interface DataSourceRead {
  /** What was read; null when that failed. */
  readonly state: Values | null;
  /**
   * Whether Terraform did not ask the provider, because the configuration is not known yet. What the provider
   * gives is unknown then.
   */
  readonly isDeferred: boolean;
  readonly diagnostics: readonly HarnessDiagnostic[];
}

/** Takes data sources of one type through Terraform's steps. */
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

  /** Reads; while the configuration is not known as a whole, that is put off until it is. */
  async read(config: Values): Promise<DataSourceRead> {
    const { declaration } = this.#values;
    const given = this.#values.fill(config);
    if (containsUnknown(given)) {
      const state = proposedState(declaration, UNKNOWN, given);
      return { state: isRecord(state) ? state : null, isDeferred: true, diagnostics: [] };
    }
    const answer = await this.#provider.readDataSource({
      typeName: declaration.type,
      config: this.#values.encode(given),
    });
    const diagnostics = readDiagnostics(answer.diagnostics);
    if (diagnostics.some(isError)) return { state: null, isDeferred: false, diagnostics };
    const state = this.#values.decode(answer.state) ?? null;
    const refuse = (summary: string, message: string): DataSourceRead => {
      const problems = [{ path: [], message }];
      const refused = coreDiagnostics(summary, declaration, problems);
      return { state: null, isDeferred: false, diagnostics: [...diagnostics, ...refused] };
    };
    if (state === null) {
      return refuse("Provider produced null object", "the provider read nothing");
    }
    if (containsUnknown(state)) {
      return refuse("Provider produced invalid object", "the provider left values unknown");
    }
    return { state, isDeferred: false, diagnostics };
  }
}
