import {
  fromCty,
  toCty,
  type CompiledSchema,
  decoded,
  encoded,
  plainOf,
  typeOf,
  valueOf,
} from "./provider-values";
import { type UnknownReason, Value } from "../expression/value";
import {
  askPlan,
  askRead,
  type CheckedPlan,
  type CoreDiagnostic,
  hasErrors,
  readBlock,
  readDiagnostics,
  type SchemaBlock,
} from "../../core/provider-kit/core";
import { compile, type CtyType, typeFromJson } from "../../core/provider-kit/values";
import type { PlacedInstance } from "./moves";
import type { NetworkNote, ProviderCalls } from "./provider-calls";
import { markedBySchema, sensitivePaths, valueAt, withValueAt } from "./value-path";

export interface FunctionSchema {
  readonly parameters: readonly CtyType[];
  readonly returns: CtyType;
}

/** The schemas of a provider, by type. All its configurations share them. */
export interface ProviderSchemas {
  readonly provider: CompiledSchema;
  readonly resources: ReadonlyMap<string, CompiledSchema>;
  readonly dataSources: ReadonlyMap<string, CompiledSchema>;
  readonly lists: ReadonlyMap<string, CompiledSchema>;
  readonly functions: ReadonlyMap<string, FunctionSchema>;
  /** True if the provider plans destructions. */
  readonly plansDestruction: boolean;
}

/** A provider that plans in this process, with one configuration. */
export class PlanningProvider {
  constructor(protected readonly calls: ProviderCalls) {}

  async schemas(): Promise<ProviderSchemas> {
    const schema = (await this.calls.call("getProviderSchema", {})).response;
    const compiled = (each = schema.provider) => {
      const block = readBlock(each?.block);
      return { block, version: each?.version ?? 0, codec: compile(block.type) };
    };
    const all = (messages: typeof schema.resourceSchemas) =>
      new Map(Object.entries(messages).map(([type, each]) => [type, compiled(each)] as const));
    const decoder = new TextDecoder();
    const functions = Object.entries(schema.functions).map(([type, each]) => {
      const parameters = each.parameters.map((one) => typeFromJson(decoder.decode(one.type)));
      const returns = typeFromJson(decoder.decode(each.return?.type));
      return [type, { parameters, returns }] as const;
    });
    return {
      provider: compiled(),
      resources: all(schema.resourceSchemas),
      dataSources: all(schema.dataSourceSchemas),
      lists: all(schema.listResourceSchemas),
      functions: new Map(functions),
      plansDestruction: schema.serverCapabilities?.planDestroy === true,
    };
  }

  /**
   * Checks the settings, and passes them to the provider. Sensitive settings are unknown to it, so that no credentials
   * are needed.
   */
  async configure(schema: CompiledSchema, config: Value): Promise<readonly CoreDiagnostic[]> {
    const found = await this.validateSettings(schema, config);
    if (hasErrors(found)) return found;
    // An error that disappears if all secrets are unknown is not an error of the stack.
    for (const isUnset of [false, true]) {
      const withheld = withoutSecrets(config, schema.block, isUnset);
      const diagnostics = await this.giveSettings(schema, withheld);
      if (!hasErrors(diagnostics) || isUnset) return [...found, ...diagnostics];
    }
    return found;
  }

  protected async validateSettings(
    schema: CompiledSchema,
    config: Value,
  ): Promise<readonly CoreDiagnostic[]> {
    const request = { config: encoded(schema, config) };
    const { response } = await this.calls.call("validateProviderConfig", request);
    return readDiagnostics(response.diagnostics);
  }

  protected async giveSettings(
    schema: CompiledSchema,
    config: Value,
  ): Promise<readonly CoreDiagnostic[]> {
    const request = { terraformVersion: "", config: encoded(schema, config) };
    const { response } = await this.calls.call("configureProvider", request);
    return readDiagnostics(response.diagnostics);
  }

  async validate(
    kind: "resource" | "data",
    typeName: string,
    schema: CompiledSchema,
    values: Value,
  ): Promise<readonly CoreDiagnostic[]> {
    const config = encoded(schema, values);
    const { response } =
      kind === "resource"
        ? await this.calls.call("validateResourceConfig", {
            typeName,
            config,
            clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
          })
        : await this.calls.call("validateDataResourceConfig", { typeName, config });
    return readDiagnostics(response.diagnostics);
  }

  /** Converts an object of the state to the current version of its schema, or to the schema of its new type. */
  async stored(
    schema: CompiledSchema,
    {
      type,
      movedFromType,
      schemaVersion,
      attributes,
      source,
      private: secret,
    }: Pick<
      PlacedInstance,
      "type" | "movedFromType" | "schemaVersion" | "attributes" | "source" | "private"
    >,
  ) {
    const rawState = { json: new TextEncoder().encode(JSON.stringify(attributes)), flatmap: {} };
    if (movedFromType === undefined) {
      const request = { typeName: type, version: schemaVersion, rawState };
      const { response } = await this.calls.call("upgradeResourceState", request);
      const diagnostics = readDiagnostics(response.diagnostics);
      const state = hasErrors(diagnostics) ? undefined : decoded(schema, response.upgradedState);
      return { state, private: secret, diagnostics };
    }
    const { response } = await this.calls.call("moveResourceState", {
      sourceProviderAddress: source,
      sourceTypeName: movedFromType,
      sourceSchemaVersion: schemaVersion,
      sourceState: rawState,
      sourcePrivate: secret,
      targetTypeName: type,
    });
    const diagnostics = readDiagnostics(response.diagnostics);
    const state = hasErrors(diagnostics) ? undefined : decoded(schema, response.targetState);
    return { state, private: response.targetPrivate, diagnostics };
  }

  async plan(
    typeName: string,
    schema: CompiledSchema,
    request: Parameters<typeof askPlan>[2],
    note?: NetworkNote,
  ): Promise<CheckedPlan> {
    const planResourceChange = this.calls.method("planResourceChange", note);
    return await askPlan({ planResourceChange }, typeOf(typeName, schema), request);
  }

  /** Plans with values instead of messages. The value is null if the plan fails. */
  async planned(
    typeName: string,
    schema: CompiledSchema,
    config: Value,
    prior?: { readonly state: Value; readonly private: Uint8Array },
  ) {
    const { planned, diagnostics } = await this.plan(typeName, schema, {
      config: plainOf(schema, config) ?? {},
      prior: prior === undefined ? null : plainOf(schema, prior.state),
      priorPrivate: prior?.private ?? new Uint8Array(),
    });
    const value = planned === null ? Value.null(schema.block.type) : valueOf(schema, planned);
    return { value, diagnostics };
  }

  /** Reads a data source. The state is undefined if that fails or needs the network. */
  async read(typeName: string, schema: CompiledSchema, config: Value) {
    const note: NetworkNote = { needsNetwork: false };
    const readDataSource = this.calls.method("readDataSource", note);
    const type = typeOf(typeName, schema);
    const values = plainOf(schema, config) ?? {};
    const { state, diagnostics } = await askRead({ readDataSource }, type, values);
    if (note.needsNetwork) return { state: undefined, diagnostics: [] };
    return { state: state === null ? undefined : valueOf(schema, state), diagnostics };
  }

  /** @returns the result, or the error of the function */
  async callFunction(
    name: string,
    { parameters, returns }: FunctionSchema,
    args: readonly Value[],
  ): Promise<Value | string> {
    const encoded = args.map((arg, at) => {
      const type = parameters[at] ?? arg.type;
      return { msgpack: compile(type).encode(toCty(arg, type)), json: new Uint8Array() };
    });
    const { response } = await this.calls.call("callFunction", { name, arguments: encoded });
    if (response.error !== undefined) return response.error.text;
    if (response.result === undefined) return "the function returned nothing";
    return fromCty(returns, compile(returns).decode(response.result.msgpack), () => []);
  }
}

const secretWithheld: UnknownReason = { kind: "variable", of: "a secret" };

/** @param isUnset true to replace sensitive settings without a value, too */
function withoutSecrets(config: Value, block: SchemaBlock, isUnset: boolean): Value {
  return sensitivePaths(markedBySchema(config.unmarked(), block)).reduce((values, path) => {
    const found = valueAt(values, path);
    if (found === undefined || (found.isNull && !isUnset)) return values;
    return withValueAt(values, path, Value.unknown(found.type, secretWithheld));
  }, config);
}
