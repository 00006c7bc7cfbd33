import type { Value } from "../../expression/value";
import { ProviderCalls } from "../../offline-plan/provider-calls";
import { PlanningProvider, type ProviderSchemas } from "../../offline-plan/provider";
import {
  type CompiledSchema,
  decoded,
  encoded,
  type Finding,
  findingsOf,
  hasErrors,
} from "../../offline-plan/provider-values";
import type { ProviderRoutes } from "../../provider-kit/protocol";

/** The state of a resource as Terraform has it after an import. */
export interface ExistingState {
  readonly state: Value;
  readonly private: Uint8Array;
}

/** A resource that a provider has listed. */
interface Listed {
  readonly displayName: string;
  /** Undefined if the provider listed it without its state, which is an error. */
  readonly state: Value | undefined;
  readonly findings: readonly Finding[];
}

/** A provider in this process that uses its settings, secrets too, and the network. */
export class ConnectedProvider extends PlanningProvider {
  /** @param signal ends what the provider does */
  static async start(
    source: string,
    routes: ProviderRoutes,
    signal: AbortSignal,
  ): Promise<{ readonly provider: ConnectedProvider; readonly schemas: ProviderSchemas }> {
    const calls = await ProviderCalls.start(source, routes, { connected: signal });
    const provider = new ConnectedProvider(calls);
    return { provider, schemas: await provider.schemas() };
  }

  override async configure(schema: CompiledSchema, config: Value): Promise<readonly Finding[]> {
    const unknown = [...config.members()].filter(([, value]) => !value.isWhollyKnown);
    if (unknown.length > 0) return unknown.map(([name, value]) => notKnown(name, value));
    const found = await this.validateSettings(schema, config);
    return hasErrors(found) ? found : [...found, ...(await this.giveSettings(schema, config))];
  }

  /**
   * Lists resources.
   *
   * @param limit the greatest number of them
   * @returns them, and what is wrong with the configuration of the list
   */
  async list(
    typeName: string,
    { list, resource }: { readonly list: CompiledSchema; readonly resource: CompiledSchema },
    config: Value,
    limit: number,
  ): Promise<{ readonly listed: readonly Listed[]; readonly findings: readonly Finding[] }> {
    const request = { typeName, config: encoded(list, config) };
    const { response } = await this.calls.call("validateListResourceConfig", request);
    const findings = findingsOf(response.diagnostics);
    const listed: Listed[] = [];
    if (hasErrors(findings)) return { listed, findings };
    const more: Finding[] = [];
    await this.calls.list({ ...request, includeResourceObject: true, limit }, (event) => {
      const found = findingsOf(event.diagnostic);
      if (event.identity === undefined) more.push(...found);
      else {
        const state = decoded(resource, event.resourceObject);
        listed.push({ displayName: event.displayName, state, findings: found });
      }
    });
    return { listed, findings: [...findings, ...more] };
  }

  /** Imports a resource by its ID, and reads it. The state is undefined if that fails, or if it does not exist. */
  async import(
    typeName: string,
    schema: CompiledSchema,
    id: string,
  ): Promise<{
    readonly existing: ExistingState | undefined;
    readonly findings: readonly Finding[];
  }> {
    const { response } = await this.calls.call("importResourceState", { typeName, id });
    const findings = findingsOf(response.diagnostics);
    const [imported] = response.importedResources;
    if (hasErrors(findings) || imported?.state === undefined) {
      return { existing: undefined, findings };
    }
    const read = await this.calls.call("readResource", {
      typeName,
      currentState: imported.state,
      private: imported.private,
    });
    const all = [...findings, ...findingsOf(read.response.diagnostics)];
    const state = hasErrors(all) ? undefined : decoded(schema, read.response.newState);
    if (state === undefined) return { existing: undefined, findings: all };
    return { existing: { state, private: read.response.private }, findings: all };
  }
}

function notKnown(name: string, value: Value): Finding {
  const [reason] = value.reasons();
  const of = reason?.of ?? "a value that is not known";
  const needs =
    reason?.kind === "variable"
      ? "Set it with --var."
      : "trivet import needs its value. Name a stack whose settings are known, with --stack.";
  return {
    severity: "error",
    summary: "Setting Not Known",
    detail: `The setting depends on ${of}. ${needs}`,
    attribute: name,
  };
}
