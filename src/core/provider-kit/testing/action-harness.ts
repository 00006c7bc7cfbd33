import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import type { CallOptions } from "../wire/grpc/grpc-client";
import type { ProviderCalls } from "../core/resource-calls";
import { WireValues } from "./wire-values";
import { type CoreDiagnostic, readDiagnostics } from "../core/diagnostic";

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
