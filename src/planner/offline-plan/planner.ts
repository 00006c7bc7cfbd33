import { convert } from "../expression/convert";
import type { Expression } from "../expression/syntax";
import { EvaluationError, type UnknownReason, Value } from "../expression/value";
import type { Properties } from "../../core/json/plain-json";
import { type InstanceKey, instanceAddress } from "./address";
import { bodies, evaluateBody, expressionOf, expressionsIn, literalValue } from "./body";
import { checkApplyOrder } from "./apply-order";
import {
  assumed,
  type OfflinePlan,
  outputChange,
  plainValue,
  removedOutput,
  standingIn,
} from "./plan-json";
import {
  blockAddress,
  type Configuration,
  type ModuleCall,
  type ResourceBlock,
  sourceOf,
} from "./configuration";
import { planDataSource } from "./data-source";
import { unplanned } from "./evaluation";
import { createdFirst, type GraphNode, orderedNodes, reachable } from "./graph";
import { instancesOf } from "./instances";
import { planManaged } from "./managed-resource";
import { checkMoves, contradictions, ephemeralIn, ephemeralStored } from "./stack-rules";
import { planOrphans } from "./orphans";
import { type ConditionKind, type PlanInput, PlanRun } from "./plan-run";
import { hasErrors, type SchemaBlock } from "../../core/provider-kit/core";
import type { InstanceChange, PlannedInstance } from "./resource-change";
import type { StackSecrets } from "./stack-secrets";
import { emptyState, type State, type StoredInstance, type StoredOutput } from "./state";
import { openParts, withName } from "./stand-ins";
import { parseTypeConstraint } from "./type-constraint";
import { markedBySchema, sensitivePaths } from "./value-path";

/** The source addresses of providers, by the names of their configurations. */
export function providerNames(configuration: Configuration): ReadonlyMap<string, string> {
  const { providers, resources, sources } = configuration;
  const names = new Set([
    ...sources.keys(),
    ...providers.keys(),
    ...[...resources.values()].map(({ provider }) => provider),
    // Built into Terraform, so its objects can be destroyed even if only the state has them.
    "terraform",
  ]);
  return new Map([...names].map((name) => [name, sourceOf(configuration, name)]));
}

/** Plans a stack. The plan configures the providers, so each of them can be used only once. */
export async function planOffline(input: PlanInput): Promise<OfflinePlan> {
  return await new Planner(input).plan();
}

/**
 * Returns the state that a stack would have after its deployment, and what is wrong with the stack. Placeholders stand
 * for the values that only the deployment decides.
 */
export async function assumedState(input: Omit<PlanInput, "state">) {
  const deployment = new Deployment({ ...input, state: emptyState });
  const { diagnostics } = await deployment.plan();
  return { state: deployment.state(), diagnostics };
}

/** Returns the sensitive values that the configuration and the variables of a stack contain. */
export async function secretsOf(
  configuration: Configuration,
  variables: Readonly<Record<string, unknown>>,
): Promise<StackSecrets> {
  const input = { configuration, variables, state: emptyState, providers: new Map() };
  return await new SecretSearch(input).secrets();
}

class Planner {
  protected readonly run: PlanRun;

  constructor(input: PlanInput) {
    this.run = new PlanRun(input);
  }

  async plan(): Promise<OfflinePlan> {
    const { run } = this;
    const { configuration, state } = run;
    for (const fault of [...configuration.faults, ...contradictions(configuration)]) {
      run.refuse(fault.address, "Invalid configuration", fault.detail, fault.attribute.split("."));
    }
    try {
      const nodes = orderedNodes(configuration);
      run.dependencies = new Map(nodes.map(({ id, dependencies }) => [id, dependencies]));
      run.createdFirst = createdFirst(configuration, nodes);
      for (const name of this.#implied()) {
        await this.#visit({ id: `provider.${name}`, dependencies: [] });
      }
      for (const node of nodes) await this.#visit(node);
      for (const [name, { validation }] of configuration.variables) {
        await this.#check("validation", `var.${name}`, validation);
      }
      for (const [name, assertions] of configuration.checks) {
        await this.#check("assertion", `check.${name}`, assertions);
      }
      for (const name of configuration.outputs.keys()) await this.#output(name);
      for (const [name, output] of state.outputs) {
        if (!configuration.outputs.has(name)) run.outputChanges[name] = removedOutput(output);
      }
    } catch (error) {
      run.fault("stack", error);
    }
    await planOrphans(run);
    checkMoves(run);
    checkApplyOrder(run);
    return run.result();
  }

  /** Returns the value of a planned instance for references to it. */
  protected planned(_: PlannedInstance, { after }: InstanceChange): Value {
    return after;
  }

  /** Called with the expressions of a block whose provider does not plan. */
  protected evaluated?(
    expressions: readonly Expression[],
    block?: Pick<ResourceBlock, "count" | "forEach">,
  ): Promise<void>;

  /** Called with the value of each output. */
  protected output(name: string, value: Value, isSensitive: boolean): void {
    const before = this.run.state.outputs.get(name);
    this.run.outputChanges[name] = outputChange(before, value, isSensitive);
  }

  async #visit({ id, fault }: GraphNode): Promise<void> {
    const { configuration, evaluation } = this.run;
    const { variables, locals, providers, resources, modules } = configuration;
    const separator = id.indexOf(".");
    const [kind, name] = [id.slice(0, separator), id.slice(separator + 1)];
    try {
      if (fault !== undefined) throw fault;
      if (kind === "var" && variables.has(name)) {
        evaluation.set(id, this.#variable(name, variables.get(name) ?? {}));
      } else if (kind === "local" && locals.has(name)) {
        evaluation.set(id, await evaluation.value(expressionOf(locals.get(name))));
      } else if (kind === "provider") {
        await this.#provider(name, providers.get(name) ?? {});
      } else {
        const block = resources.get(id);
        const call = modules.get(id);
        if (block !== undefined) await this.#resource(id, block);
        if (call !== undefined) await this.#module(id, call);
      }
    } catch (error) {
      evaluation.set(id, Value.unknown("dynamic", this.run.fault(id, error)));
      if (kind === "provider") this.run.failedProviders.add(name);
      this.run.unexpanded.add(id);
    }
  }

  #variable(name: string, block: Properties): Value {
    const { type, sensitive, ephemeral, nullable, default: fallback } = block;
    const { variables } = this.run;
    const isGiven =
      Object.hasOwn(variables, name) && (variables[name] !== null || nullable !== false);
    const given = isGiven ? variables[name] : fallback;
    const constraint = typeof type === "string" ? parseTypeConstraint(type) : undefined;
    const wanted = constraint?.type ?? "dynamic";
    // An ephemeral value can differ in each run.
    if (given === undefined || ephemeral === true) {
      return unplanned("variable", `var.${name}`, wanted).marked(sensitive === true);
    }
    const value = literalValue(given);
    return convert(constraint?.withDefaults(value) ?? value, wanted).marked(sensitive === true);
  }

  /** The providers without a block, which Terraform configures without settings. */
  #implied(): ReadonlySet<string> {
    const { configuration, providers } = this.run;
    const used = [...configuration.resources.values()].map(({ provider }) => provider);
    return new Set(
      used.filter(
        (name) => providers.has(name) && !configuration.providers.has(name) && !name.includes("."),
      ),
    );
  }

  async #provider(name: string, settings: Properties): Promise<void> {
    const started = this.run.providers.get(name);
    const expressions = expressionsIn(settings);
    if (started === undefined) {
      await this.evaluated?.(expressions);
      return;
    }
    const { provider, schemas } = started;
    const config = await this.run.evaluation.run(expressions, new Map(), (scope) =>
      evaluateBody(schemas.provider.block, settings, scope),
    );
    this.run.secrets.add(markedBySchema(config, schemas.provider.block));
    const found = await provider.configure(schemas.provider, config);
    this.run.report(`provider.${name}`, found);
    if (hasErrors(found)) this.run.failedProviders.add(name);
  }

  /** Plans only the instances of a module, not its content. */
  async #module(id: string, call: ModuleCall): Promise<void> {
    const { evaluation, notPlanned, wanted } = this.run;
    const found = await instancesOf(call, evaluation);
    if ("unknown" in found) {
      this.#unknownInstances(id, found.unknown);
      return;
    }
    for (const { key } of found.instances) wanted.add(instanceAddress(id, key));
    evaluation.set(id, unplanned("provider", id));
    notPlanned.push({ address: id, why: "module", reasons: [] });
  }

  async #resource(id: string, block: ResourceBlock): Promise<void> {
    const { run } = this;
    const isData = block.mode === "data";
    const named = run.providers.get(block.provider);
    const schemas = isData ? named?.schemas.dataSources : named?.schemas.resources;
    const schema = schemas?.get(block.type);
    // The states of other stacks are not read.
    const started = block.type === "terraform_remote_state" ? undefined : named;
    if (started !== undefined && schema === undefined) {
      const kind = isData ? "data source" : "resource";
      throw new EvaluationError(`The provider has no ${kind} "${block.type}".`);
    }
    if (started === undefined || schema === undefined || run.failedProviders.has(block.provider)) {
      run.evaluation.set(id, unplanned("provider", id));
      run.unexpanded.add(id);
      await this.evaluated?.(expressionsIn(block.body), block);
      if (started === undefined) {
        run.notPlanned.push({ address: id, why: "other-provider", reasons: [] });
      }
      return;
    }
    this.#checkEphemeral(block, schema.block);
    const found = await instancesOf(block, run.evaluation);
    if ("unknown" in found) {
      this.#unknownInstances(id, found.unknown);
      return;
    }
    if (found.instances.length === 0) {
      // Terraform also checks references that are never evaluated.
      const own = new Map(["each", "count", "self"].map((name) => [name, Value.null()]));
      const written = expressionsIn([block.body, block.lifecycle.postcondition]);
      await run.evaluation.run(written, own, () => undefined);
      own.delete("self");
      const conditions = expressionsIn(block.lifecycle.precondition);
      await run.evaluation.run(conditions, own, () => undefined);
    }
    const values = new Map<InstanceKey, Value>();
    const changes = new Map<InstanceKey, InstanceChange>();
    const { provider } = started;
    for (const { key, variables } of found.instances) {
      const address = instanceAddress(id, key);
      run.wanted.add(address);
      const instance = { address, block, key, variables, provider, schema };
      values.set(key, await this.#instance(instance, changes));
    }
    run.planned.set(id, changes);
    run.evaluation.set(id, collected(block, values), {
      names: new Set([...schema.block.attributes.keys(), ...schema.block.blocks.keys()]),
      isRepeated: block.count !== undefined || block.forEach !== undefined,
    });
  }

  /** @throws EvaluationError when Terraform would have to store an ephemeral value */
  #checkEphemeral({ body, count, forEach }: ResourceBlock, schema: SchemaBlock): void {
    const stored = Object.entries(body).filter(
      ([name]) => schema.attributes.get(name)?.isWriteOnly !== true,
    );
    for (const [name, value] of [...stored, ["count", count], ["for_each", forEach]] as const) {
      const found = ephemeralIn(this.run.configuration, expressionsIn(value));
      if (found !== undefined) throw ephemeralStored(name, found);
    }
  }

  async #instance(
    instance: PlannedInstance,
    changes: Map<InstanceKey, InstanceChange>,
  ): Promise<Value> {
    const { address, block, key, schema } = instance;
    try {
      if (block.mode === "data") return await planDataSource(this.run, instance);
      const { value, change } = await planManaged(this.run, instance);
      if (change === undefined) return value;
      changes.set(key, change);
      return this.planned(instance, change);
    } catch (error) {
      return Value.unknown(schema.block.type, this.run.fault(address, error));
    }
  }

  #unknownInstances(id: string, reasons: readonly UnknownReason[]): void {
    const { run } = this;
    run.unexpanded.add(id);
    run.evaluation.set(id, withName(Value.unknown("dynamic", ...reasons), id));
    if (reasons.every(({ kind }) => kind === "apply")) {
      const [first] = reasons;
      throw new EvaluationError(
        `The number of instances depends on ${first?.of ?? "a value"}, which is only known after the apply. ` +
          "Terraform needs it for the plan.",
      );
    }
    run.notPlanned.push({ address: id, why: "instances", reasons });
  }

  async #check(kind: ConditionKind, address: string, conditions: unknown): Promise<void> {
    try {
      await this.run.checkConditions(kind, address, bodies(conditions));
    } catch (error) {
      this.run.fault(address, error);
    }
  }

  async #output(name: string): Promise<void> {
    const block = this.run.configuration.outputs.get(name) ?? {};
    const isSensitive = block["sensitive"] === true;
    await this.#check("precondition", `output.${name}`, block["precondition"]);
    try {
      const ephemeral = ephemeralIn(this.run.configuration, expressionsIn(block["value"]));
      if (ephemeral !== undefined) throw ephemeralStored("value", ephemeral);
      const value = await this.run.evaluation.value(expressionOf(block["value"]));
      if (value.containsSensitive && !isSensitive) {
        throw new EvaluationError("The output contains sensitive values. Add `sensitive: true`.");
      }
      this.output(name, value, isSensitive);
    } catch (error) {
      this.run.fault(`output.${name}`, error);
    }
  }
}

/** Evaluates everything without asking providers. */
class SecretSearch extends Planner {
  async secrets(): Promise<StackSecrets> {
    await this.plan();
    return this.run.secrets;
  }

  protected override async evaluated(
    expressions: readonly Expression[],
    block: Pick<ResourceBlock, "count" | "forEach"> = { count: undefined, forEach: undefined },
  ): Promise<void> {
    const { evaluation, secrets } = this.run;
    if (secrets.isEmpty) return;
    const found = await instancesOf(block, evaluation);
    for (const { variables } of "unknown" in found ? [] : found.instances) {
      for (const each of expressions) {
        // Terraform reports an invalid expression.
        await evaluation.value(each, variables).catch(() => undefined);
      }
    }
  }
}

/** Plans as if each resource were deployed immediately. */
class Deployment extends Planner {
  readonly #instances: StoredInstance[] = [];
  readonly #outputs = new Map<string, StoredOutput>();

  state(): State {
    const { notPlanned } = this.run;
    return { instances: this.#instances, outputs: this.#outputs, notPlanned };
  }

  protected override planned(instance: PlannedInstance, { after }: InstanceChange): Value {
    const { address, block, key, schema } = instance;
    const value = assumed(after, address);
    if (value.isNull) return value;
    const { mode, type, name, provider } = block;
    this.#instances.push({
      mode,
      type,
      name,
      key,
      attributes: plainValue(standingIn(value)) as Properties,
      standIns: openParts(value),
      schemaVersion: schema.version,
      isTainted: false,
      deposedKey: undefined,
      sensitivePaths: sensitivePaths(value),
      private: new Uint8Array(),
      dependencies: [...reachable(this.run.dependencies, blockAddress(block))],
      isCreatedFirst: this.run.createdFirst.has(blockAddress(block)),
      source: sourceOf(this.run.configuration, provider),
    });
    return value;
  }

  protected override output(name: string, value: Value, isSensitive: boolean): void {
    this.#outputs.set(name, { value, isSensitive });
  }
}

/** The value of a resource for references to it: an object, or a tuple or object of its instances. */
function collected(
  { count, forEach }: ResourceBlock,
  values: ReadonlyMap<InstanceKey, Value>,
): Value {
  if (count !== undefined) return Value.tuple([...values.values()]);
  if (forEach !== undefined) {
    return Value.object([...values].map(([key, value]) => [String(key), value]));
  }
  return values.get(undefined) ?? Value.null();
}
