import type { Declaration } from "../../schema/declaration";
import type { ListDeclaration } from "../../schema/list-resource";
import type { Values } from "../../schema/resource-rule";
import { askRead, readLater } from "../core/data-source";
import { type CoreDiagnostic, isError, readDiagnostics, refused } from "../core/diagnostic";
import type { DeferralReason, ProviderCalls } from "../core/resource-calls";
import { containsUnknown } from "../cty/value";
import type { CallOptions } from "../wire/grpc/grpc-client";
import { WireValues } from "./wire-values";

/** An event of a running action: its progress, or at the end its diagnostics. */
export type ActionEvent =
  | { readonly progress: string }
  | { readonly completed: { readonly diagnostics: readonly CoreDiagnostic[] } };

/** Runs Terraform's steps on actions of one type. */
export class ActionHarness {
  readonly #provider: ProviderCalls;
  readonly #values: WireValues;

  constructor(provider: ProviderCalls, declaration: Declaration) {
    this.#provider = provider;
    this.#values = new WireValues(declaration);
  }

  /** Validates a configuration. */
  async validate(config: Values = {}): Promise<CoreDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateActionConfig({
      typeName: this.#type,
      config: this.#values.encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** Plans an action. Its configuration may be unknown. */
  async plan(config: Values = {}): Promise<CoreDiagnostic[]> {
    const { diagnostics } = await this.#provider.planAction({
      actionType: this.#type,
      config: this.#values.encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /** Runs an action. Ending the iteration cancels it. */
  async *invoke(
    config: Values = {},
    options: CallOptions = {},
  ): AsyncGenerator<ActionEvent, void, void> {
    const request = { actionType: this.#type, config: this.#values.encode(config) };
    for await (const { progress, completed } of this.#provider.invokeAction(request, options)) {
      if (progress !== undefined) yield { progress: progress.message };
      if (completed === undefined) continue;
      yield { completed: { diagnostics: readDiagnostics(completed.diagnostics) } };
    }
  }

  get #type(): string {
    return this.#values.declaration.type;
  }
}

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

/** The arguments of a `list` block besides its configuration. */
export interface ListOptions {
  /** The greatest number of results. @default 100 */
  readonly limit?: number | undefined;
  /** True if the provider returns the state of each resource. @default false */
  readonly includeResource?: boolean | undefined;
  /** Cancels the query. */
  readonly signal?: AbortSignal | undefined;
}

/** One resource that a provider listed, or only diagnostics. */
export interface ListedResourceEvent {
  readonly displayName: string;
  readonly identity: Values | undefined;
  /** Undefined if it was not requested. */
  readonly state: Values | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
}

/** Runs Terraform's steps on a list of resources. */
export class ListResourceHarness {
  readonly #provider: ProviderCalls;
  readonly #config: WireValues;
  readonly #states: WireValues;

  constructor(provider: ProviderCalls, declaration: ListDeclaration) {
    this.#provider = provider;
    this.#config = new WireValues(declaration);
    this.#states = new WireValues(declaration.resource);
  }

  /** Validates a configuration. */
  async validate(config: Values = {}): Promise<CoreDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateListResourceConfig({
      typeName: this.#config.declaration.type,
      config: this.#config.encode(config),
    });
    return readDiagnostics(diagnostics);
  }

  /**
   * Lists resources, one by one. Like Terraform, it stops at the limit and at the first error, and requires
   * an identity for each resource. Ending the iteration cancels the query.
   */
  async *list(
    config: Values = {},
    { limit = 100, includeResource = false, signal }: ListOptions = {},
  ): AsyncGenerator<ListedResourceEvent, void, void> {
    const { declaration } = this.#config;
    const events = this.#provider.listResource(
      {
        typeName: declaration.type,
        config: this.#config.encode(config),
        includeResourceObject: includeResource,
        limit,
      },
      { signal },
    );
    let count = 0;
    for await (const { displayName, diagnostic, ...event } of events) {
      const identity = this.#states.identities?.decode(event.identity);
      const diagnostics = readDiagnostics(diagnostic);
      if (identity === undefined && diagnostics.length === 0) {
        const problem = { path: [], message: "the provider returned no identity" };
        diagnostics.push(...refused(this.#config, "Missing identity data", [problem]));
      }
      const state = includeResource ? this.#states.decode(event.resourceObject) : undefined;
      yield { displayName, identity, state, diagnostics };
      if (identity !== undefined) count += 1;
      if (count >= limit || diagnostics.some(isError)) return;
    }
  }
}
