import { fromCty, toCty } from "../expression/cty";
import { NotKnown, type UnknownReason, Value } from "../expression/value";
import {
  createLogger,
  type Diagnostic,
  providerMethods as methods,
  type ProviderRoutes,
  type RequestOf,
  type Route,
} from "../provider-kit/protocol";
import {
  type Codec,
  compile,
  type CtyType,
  decodeJson,
  formatPath,
  typeFromJson,
} from "../provider-kit/values";
import { readBlock, type SchemaBlock } from "./provider-schema";
import type { RememberedAnswers } from "./remembered-answers";
import { withoutNetwork } from "./without-network";

/** A problem that a provider, or the evaluation of a stack, has found. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** The path of the attribute, such as `option[0].name`. Undefined for the resource as a whole. */
  readonly attribute: string | undefined;
}

/** What a provider plans for one resource. */
interface ProviderPlan {
  readonly planned: Value;
  /** The paths whose change requires a replacement, as steps. */
  readonly requiresReplace: readonly (readonly (string | number)[])[];
  readonly findings: readonly Finding[];
  /** True if the provider could not decide without the network. */
  readonly needsNetwork: boolean;
}

interface Method {
  readonly path: string;
  readonly request: { encode(message: never): Uint8Array };
  readonly response: { decode(bytes: Uint8Array): unknown };
}

/** The schema of a type, with its codec. */
export interface CompiledSchema {
  readonly block: SchemaBlock;
  readonly version: number;
  readonly codec: Codec;
}

/** The types of a function of a provider. */
export interface FunctionSchema {
  readonly parameters: readonly CtyType[];
  readonly returns: CtyType;
}

/** The schemas of a provider, by type. They are the same for all its configurations. */
export interface ProviderSchemas {
  readonly provider: CompiledSchema;
  readonly resources: ReadonlyMap<string, CompiledSchema>;
  readonly dataSources: ReadonlyMap<string, CompiledSchema>;
  readonly functions: ReadonlyMap<string, FunctionSchema>;
}

const never = new AbortController().signal;
const context = { signal: never, onClosed: () => undefined };

/**
 * A provider in this process, with one configuration. Nothing that it does leaves the process.
 *
 * It must be built with the provider kit, which plans from the configuration and the state: other providers need the
 * state that Terraform proposes.
 */
export class OfflineProvider {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #answers: ProviderAnswers | undefined;
  #configuration: Uint8Array = none;

  private constructor(
    readonly source: string,
    routes: ReadonlyMap<string, Route>,
    answers: ProviderAnswers | undefined,
  ) {
    this.#routes = routes;
    this.#answers = answers;
  }

  /** @param answers those of earlier plans, which are not asked again */
  static async start(
    source: string,
    routes: ProviderRoutes,
    answers?: ProviderAnswers,
  ): Promise<OfflineProvider> {
    const name = source.slice(source.lastIndexOf("/") + 1);
    const logger = createLogger({ name, env: {} });
    return new OfflineProvider(
      source,
      typeof routes === "function" ? await routes({ logger }) : routes,
      answers,
    );
  }

  async schemas(): Promise<ProviderSchemas> {
    const schema = (await this.#call("getProviderSchema", {})).response;
    const compiled = (
      each: { block?: Parameters<typeof readBlock>[0]; version: number } | undefined,
    ) => {
      const block = readBlock(each?.block);
      return { block, version: each?.version ?? 0, codec: compile(block.type) };
    };
    const all = (messages: ReadonlyMap<string, never> | Readonly<Record<string, unknown>>) =>
      new Map(
        Object.entries(messages).map(([type, each]) => [type, compiled(each as never)] as const),
      );
    const decoder = new TextDecoder();
    const functions = Object.entries(schema.functions).map(([type, each]) => {
      const parameters = each.parameters.map((one) => typeFromJson(decoder.decode(one.type)));
      const returns = typeFromJson(decoder.decode(each.return?.type));
      return [type, { parameters, returns }] as const;
    });
    return {
      provider: compiled(schema.provider),
      resources: all(schema.resourceSchemas),
      dataSources: all(schema.dataSourceSchemas),
      functions: new Map(functions),
    };
  }

  /**
   * Checks the settings, and gives them to the provider. Sensitive ones are withheld: what depends on them is not
   * known. So no credentials are needed.
   */
  async configure(schema: CompiledSchema, config: Value): Promise<readonly Finding[]> {
    const checked = await this.#call("validateProviderConfig", { config: encoded(schema, config) });
    const found = findingsOf(checked.response.diagnostics);
    if (hasErrors(found)) return found;
    // An error that is gone when secrets may have any value is not one of the stack.
    for (const isUnset of [false, true]) {
      const withheld = withoutSecrets(config, schema.block, isUnset);
      const { response } = await this.#call("configureProvider", {
        terraformVersion: "",
        config: encoded(schema, withheld),
      });
      const findings = findingsOf(response.diagnostics);
      if (!hasErrors(findings) || isUnset) return [...found, ...findings];
    }
    return found;
  }

  async validate(
    kind: "resource" | "data",
    typeName: string,
    schema: CompiledSchema,
    values: Value,
  ): Promise<readonly Finding[]> {
    const config = encoded(schema, values);
    const { response } =
      kind === "resource"
        ? await this.#call("validateResourceConfig", {
            typeName,
            config,
            clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
          })
        : await this.#call("validateDataResourceConfig", { typeName, config });
    return findingsOf(response.diagnostics);
  }

  /** Converts the stored attributes of a state to the current version of the schema. */
  async upgrade(
    typeName: string,
    schema: CompiledSchema,
    version: number,
    json: string,
  ): Promise<{ readonly state: Value | undefined; readonly findings: readonly Finding[] }> {
    const { response } = await this.#call("upgradeResourceState", {
      typeName,
      version,
      rawState: { json: new TextEncoder().encode(json), flatmap: {} },
    });
    const findings = findingsOf(response.diagnostics);
    const state = hasErrors(findings) ? undefined : decoded(schema, response.upgradedState);
    return { state, findings };
  }

  /** @param prior the state; null for a creation */
  async plan(
    typeName: string,
    schema: CompiledSchema,
    change: { readonly config: Value; readonly prior: Value; readonly private: Uint8Array },
    reasonsOf: (path: readonly string[]) => readonly UnknownReason[],
  ): Promise<ProviderPlan> {
    const config = encoded(schema, change.config);
    const { response, wasTried } = await this.#call("planResourceChange", {
      typeName,
      config,
      priorState: encoded(schema, change.prior),
      // The kit plans from the configuration. Only whether it is null matters.
      proposedNewState: config,
      priorPrivate: change.private,
    });
    const { plannedState, requiresReplace } = response;
    return {
      planned: decoded(schema, plannedState, reasonsOf) ?? Value.null(schema.block.type),
      requiresReplace: requiresReplace.map(stepsOf),
      findings: findingsOf(response.diagnostics),
      needsNetwork: wasTried,
    };
  }

  /** Checks a planned destruction. */
  async planDestruction(
    typeName: string,
    schema: CompiledSchema,
    prior: Value,
    priorPrivate: Uint8Array,
  ): Promise<readonly Finding[]> {
    const nothing = encoded(schema, Value.null(schema.block.type));
    const { response } = await this.#call("planResourceChange", {
      typeName,
      config: nothing,
      priorState: encoded(schema, prior),
      proposedNewState: nothing,
      priorPrivate,
    });
    return findingsOf(response.diagnostics);
  }

  /** Reads a data source. The result is undefined if that needs the network. */
  async read(
    typeName: string,
    schema: CompiledSchema,
    config: Value,
  ): Promise<{ readonly state: Value | undefined; readonly findings: readonly Finding[] }> {
    const { response, wasTried } = await this.#call("readDataSource", {
      typeName,
      config: encoded(schema, config),
    });
    if (wasTried) return { state: undefined, findings: [] };
    const findings = findingsOf(response.diagnostics);
    return { state: hasErrors(findings) ? undefined : decoded(schema, response.state), findings };
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
    const { response } = await this.#call("callFunction", { name, arguments: encoded });
    if (response.error !== undefined) return response.error.text;
    if (response.result === undefined) return "the function returned nothing";
    return fromCty(returns, compile(returns).decode(response.result.msgpack), () => []);
  }

  async #call<Name extends CalledName>(
    name: Name,
    request: Encodable<Name>,
  ): Promise<{ readonly response: Response<Name>; readonly wasTried: boolean }> {
    const method: Method = methods[name];
    const route = this.#routes.get(method.path);
    if (route?.kind !== "unary") throw new Error(`${this.source} does not implement ${name}`);
    const bytes = method.request.encode(request as never);
    const ask = async (): Promise<Answer> => {
      const run = await withoutNetwork(() => route.handle(bytes, context));
      if ("error" in run) throw run.error;
      return { response: method.response.decode(run.result), wasTried: run.wasTried };
    };
    if (name === "configureProvider") this.#configuration = bytes;
    const isRemembered = name === "validateResourceConfig" || name === "planResourceChange";
    const question = [Buffer.from(this.source), Buffer.from(name), this.#configuration, bytes];
    const { response, wasTried } =
      this.#answers !== undefined && isRemembered
        ? await this.#answers.answer(question, ask)
        : await ask();
    // The method decodes the type that belongs to its name.
    return { response: response as Response<Name>, wasTried };
  }
}

interface Answer {
  readonly response: unknown;
  readonly wasTried: boolean;
}

/** What providers have answered in earlier plans. */
export type ProviderAnswers = RememberedAnswers<Answer>;

const none = new Uint8Array();

type CalledName =
  | "getProviderSchema"
  | "validateProviderConfig"
  | "configureProvider"
  | "validateResourceConfig"
  | "validateDataResourceConfig"
  | "upgradeResourceState"
  | "planResourceChange"
  | "readDataSource"
  | "callFunction";
type Encodable<Name extends CalledName> = Partial<RequestOf<Name>>;
type Response<Name extends CalledName> = ReturnType<(typeof methods)[Name]["response"]["decode"]>;

const encoded = ({ codec, block }: CompiledSchema, value: Value) => ({
  msgpack: codec.encode(toCty(value, block.type)),
  json: new Uint8Array(),
});

/** Decodes a value of a response; undefined if there is none, or if it is null. */
function decoded(
  { codec, block }: CompiledSchema,
  message: { readonly msgpack: Uint8Array; readonly json: Uint8Array } | undefined,
  reasonsOf: (path: readonly string[]) => readonly UnknownReason[] = () => [],
): Value | undefined {
  if (message === undefined) return undefined;
  const { msgpack, json } = message;
  if (msgpack.length === 0 && json.length === 0) return undefined;
  const value = msgpack.length > 0 ? codec.decode(msgpack) : decodeJson(block.type, json);
  return value === null ? undefined : fromCty(block.type, value, reasonsOf);
}

const stepsOf = ({ steps }: NonNullable<Diagnostic["attribute"]>) =>
  steps.map((step) => step.attributeName ?? step.elementKeyString ?? Number(step.elementKeyInt));

/** Checks whether a finding is an error. */
export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "error");

const findingsOf = (diagnostics: readonly Diagnostic[]): readonly Finding[] =>
  diagnostics.map(({ severity, summary, detail, attribute }) => ({
    severity: severity === "WARNING" ? "warning" : "error",
    summary,
    detail,
    attribute: attribute && formatPath(stepsOf(attribute)),
  }));

const secretWithheld: UnknownReason = { kind: "variable", of: "a secret" };

/**
 * Replaces the sensitive settings.
 *
 * @param isUnset also those that have no value
 */
function withoutSecrets(config: Value, block: SchemaBlock, isUnset: boolean): Value {
  if (!block.hasSensitive || !config.isKnown || config.isNull) return config;
  const members = [...config.members()].map(([name, value]) => {
    const attribute = block.attributes.get(name);
    if (attribute?.isSensitive === true && (isUnset || !value.isNull)) {
      return [name, Value.unknown(attribute.type, secretWithheld)] as const;
    }
    const nested = block.blocks.get(name)?.block;
    if (nested === undefined || value.content instanceof NotKnown) return [name, value] as const;
    const elements = value.elements();
    const inner = Array.isArray(value.content)
      ? new Value(
          value.type,
          elements.map((each) => withoutSecrets(each, nested, isUnset)),
        )
      : withoutSecrets(value, nested, isUnset);
    return [name, inner] as const;
  });
  return new Value(config.type, new Map(members));
}
