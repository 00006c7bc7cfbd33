import { type CtyType, formatPath, partOf } from "../../core/provider-kit/values";
import { equals } from "../expression/equality";
import type { Expression } from "../expression/syntax";
import { EvaluationError, primitiveText, Value } from "../expression/value";
import { instanceAddress, type InstanceKey } from "./address";
import type { ResourceBlock } from "./configuration";
import type { Evaluation } from "./evaluation";
import { dependenciesOf } from "./graph";
import { blockOf } from "./moves";
import type { PlanRun } from "./plan-run";
import type { CompiledSchema } from "./provider-values";
import { type InstanceChange, planInstance, type PlannedInstance } from "./resource-change";
import { isSame } from "./stand-ins";
import { type Step, valueAt } from "./value-path";

interface ManagedPlan {
  /** The value for references, with marks. */
  readonly value: Value;
  /** Undefined if it could not be planned. */
  readonly change: InstanceChange | undefined;
}

/** Plans an instance of a managed resource, and reports its errors. */
export async function planManaged(run: PlanRun, instance: PlannedInstance): Promise<ManagedPlan> {
  const { address, block, provider, schema, variables } = instance;
  const config = await run.configurationOf(instance);
  checkIgnored(block, schema);
  const stored = run.storedAt.get(address);
  const isImported = run.configuration.imports.some(({ to }) => to === address);
  if (stored === undefined && isImported) {
    run.notPlanned.push({ address, why: "import", reasons: [] });
    return notKnown(instance, "network");
  }
  const prior = stored && (await run.priorOf(address, stored, provider, schema));
  if (stored !== undefined && prior === undefined) return notKnown(instance, "apply");
  await run.checkConditions("precondition", address, block.lifecycle.precondition, variables);
  const change = await planInstance(instance, config, prior, await isTriggered(run, instance));
  run.report(address, change.diagnostics);
  if (change.needsNetwork && !change.after.isKnown) {
    run.notPlanned.push({ address, why: "network", reasons: [] });
    return { value: change.after, change };
  }
  run.record(block, instance.key, change);
  run.noteUnknown(address, change.after, change.before);
  const self = new Map([...variables, ["self", change.after] as const]);
  await run.checkConditions("postcondition", address, block.lifecycle.postcondition, self);
  return { value: change.after, change };
}

const notKnown = (
  { address, schema }: PlannedInstance,
  kind: "apply" | "network",
): ManagedPlan => ({
  value: Value.unknown(schema.block.type, { kind, of: address }),
  change: undefined,
});

/** @throws EvaluationError when `ignore_changes` names an attribute that the resource does not have */
function checkIgnored({ lifecycle: { ignoreChanges } }: ResourceBlock, schema: CompiledSchema) {
  if (ignoreChanges === "all") return;
  for (const path of ignoreChanges) {
    if (hasPath(schema.block.type, path)) continue;
    throw new EvaluationError(
      `ignore_changes names ${formatPath(path)}, which the resource does not have. ` +
        `${path[0] === "all" ? 'Write "all" without a list' : "Remove it, or name an attribute"}.`,
    );
  }
}

function hasPath(type: CtyType, [step, ...rest]: readonly Step[]): boolean {
  if (step === undefined || type === "dynamic") return true;
  if (typeof type === "object" && "set" in type) return false;
  const part = partOf(type, step);
  return part !== undefined && hasPath(part, rest);
}

/**
 * Checks whether a trigger in `replace_triggered_by` applies: a resource that is updated or replaced, or an attribute
 * whose value changes.
 *
 * @throws EvaluationError when a trigger is not in the stack
 * @see {@link https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle#replace_triggered_by}
 */
async function isTriggered(run: PlanRun, { block, variables }: PlannedInstance): Promise<boolean> {
  for (const trigger of block.lifecycle.replaceTriggeredBy) {
    const [id = ""] = dependenciesOf([trigger]);
    if (!run.configuration.resources.has(id)) {
      throw new EvaluationError(`replace_triggered_by names ${id}, which is not in the stack.`);
    }
    const { path, keys } = await namedBy(trigger, run.evaluation, variables);
    const planned = run.planned.get(id);
    const missing = keys.find((key) => {
      const address = instanceAddress(id, key);
      // An instance that is destroyed has a change, too.
      return !run.wanted.has(address) && !run.storedAt.has(address);
    });
    if (planned !== undefined && missing !== undefined) {
      throw new EvaluationError(
        `replace_triggered_by names ${instanceAddress(id, missing)}, but ${id} has no such instance.`,
      );
    }
    if (planned?.size === 0 && run.stored.every((each) => blockOf(each) !== id)) {
      throw new EvaluationError(`replace_triggered_by names ${id}, which has no instances.`);
    }
    for (const [key, change] of planned ?? []) {
      if (keys.length > 0 && !keys.includes(key)) continue;
      if (isTriggering(change, path)) return true;
    }
  }
  return false;
}

/** The path of the attribute and the keys of the instances that an entry names. No keys mean all instances. */
async function namedBy(
  trigger: Expression,
  evaluation: Evaluation,
  variables: ReadonlyMap<string, Value>,
): Promise<{ readonly path: readonly Step[]; readonly keys: readonly InstanceKey[] }> {
  const steps: { readonly step: Step; readonly isIndex: boolean }[] = [];
  let at = trigger;
  while (at.kind === "attribute" || at.kind === "index") {
    if (at.kind === "attribute") {
      steps.unshift({ step: at.name, isIndex: false });
    } else {
      const key = await evaluation.value(at.key, variables);
      const step = typeof key.content === "number" ? key.content : (primitiveText(key) ?? "");
      steps.unshift({ step, isIndex: true });
    }
    at = at.of;
  }
  // The first step is the name of the resource. An index after it is the key of an instance.
  const [, second, ...rest] = steps;
  if (second === undefined) return { path: [], keys: [] };
  const path = rest.map(({ step }) => step);
  return second.isIndex
    ? { path, keys: [second.step] }
    : { path: [second.step, ...path], keys: [] };
}

function isTriggering({ action, before, after }: InstanceChange, path: readonly Step[]): boolean {
  if (action !== "update" && action !== "replace") return false;
  if (path.length === 0) return true;
  const [old, planned] = [valueAt(before, path), valueAt(after, path)];
  if (old === undefined || planned === undefined) return old !== planned;
  return equals(old, planned) !== true && !isSame(old, planned);
}
