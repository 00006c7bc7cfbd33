import type { Value } from "../../planner/expression/value";
import { ProviderCalls } from "../../planner/offline-plan/provider-calls";
import { PlanningProvider } from "../../planner/offline-plan/provider";
import { type CompiledSchema, decoded, encoded } from "../../planner/offline-plan/provider-values";
import { type CoreDiagnostic, hasErrors, readDiagnostics } from "../../core/provider-kit/core";
import type { ProviderRoutes } from "../../core/provider-kit/protocol";

export interface ExistingState {
  readonly state: Value;
  readonly private: Uint8Array;
}

interface Listed {
  readonly displayName: string;
  /** Undefined if the provider returned no state, which is an error. */
  readonly state: Value | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
}

/** A provider in this process that uses all its settings, including secrets, and the network. */
export class ConnectedProvider extends PlanningProvider {
  /** @param signal stops the provider */
  static async start(source: string, routes: ProviderRoutes, signal: AbortSignal) {
    const calls = await ProviderCalls.start(source, routes, { connected: signal });
    const provider = new ConnectedProvider(calls);
    return { provider, schemas: await provider.schemas() };
  }

  override async configure(
    schema: CompiledSchema,
    config: Value,
  ): Promise<readonly CoreDiagnostic[]> {
    const unknown = [...config.members()].filter(([, value]) => !value.isWhollyKnown);
    if (unknown.length > 0) return unknown.map(([name, value]) => notKnown(name, value));
    const found = await this.validateSettings(schema, config);
    return hasErrors(found) ? found : [...found, ...(await this.giveSettings(schema, config))];
  }

  /**
   * Lists resources.
   *
   * @param limit the maximum number of resources
   * @returns the resources, and the diagnostics of the list itself
   */
  async list(
    typeName: string,
    { list, resource }: { readonly list: CompiledSchema; readonly resource: CompiledSchema },
    config: Value,
    limit: number,
  ) {
    const request = { typeName, config: encoded(list, config) };
    const { response } = await this.calls.call("validateListResourceConfig", request);
    const diagnostics = readDiagnostics(response.diagnostics);
    const listed: Listed[] = [];
    if (hasErrors(diagnostics)) return { listed, diagnostics };
    const more: CoreDiagnostic[] = [];
    await this.calls.list({ ...request, includeResourceObject: true, limit }, (event) => {
      const found = readDiagnostics(event.diagnostic);
      if (event.identity === undefined) more.push(...found);
      else {
        const state = decoded(resource, event.resourceObject);
        listed.push({ displayName: event.displayName, state, diagnostics: found });
      }
    });
    return { listed, diagnostics: [...diagnostics, ...more] };
  }

  /** Imports a resource by its ID, and reads it. The state is undefined if that fails, or if it does not exist. */
  async import(typeName: string, schema: CompiledSchema, id: string) {
    const { response } = await this.calls.call("importResourceState", { typeName, id });
    const diagnostics = readDiagnostics(response.diagnostics);
    const [imported] = response.importedResources;
    if (hasErrors(diagnostics) || imported?.state === undefined) {
      return { existing: undefined, diagnostics };
    }
    const read = await this.calls.call("readResource", {
      typeName,
      currentState: imported.state,
      private: imported.private,
    });
    const all = [...diagnostics, ...readDiagnostics(read.response.diagnostics)];
    const state = hasErrors(all) ? undefined : decoded(schema, read.response.newState);
    const existing = state && { state, private: read.response.private };
    return { existing, diagnostics: all };
  }
}

function notKnown(name: string, value: Value): CoreDiagnostic {
  const [reason] = value.reasons();
  const of = reason?.of ?? "a value that is not known";
  const needs =
    reason?.kind === "variable"
      ? "Set it with --var."
      : "trivet import needs its value. Add --stack with a stack whose settings are known.";
  return {
    severity: "ERROR",
    summary: "Setting Not Known",
    detail: `The setting depends on ${of}. ${needs}`,
    path: [name],
  };
}
