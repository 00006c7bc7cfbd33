import type { ListDeclaration } from "../../schema/list-resource";
import type { Values } from "../../schema/resource-rule";
import { WireValues } from "./wire-values";
import type { ProviderCalls } from "../core/resource-calls";
import { refused, type CoreDiagnostic, isError, readDiagnostics } from "../core/diagnostic";

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
