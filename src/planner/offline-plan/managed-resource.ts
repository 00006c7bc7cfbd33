import { EvaluationError, Value } from "../expression/value";
import { type CtyType, formatPath, partOf } from "../../core/provider-kit/values";
import type { ResourceBlock } from "./configuration";
import type { PlanRun } from "./plan-run";
import type { CompiledSchema } from "./provider-values";
import { recordChange } from "./recorded-change";
import { type InstanceChange, planInstance, type PlannedInstance } from "./resource-change";
import { isTriggered } from "./triggers";
import type { Step } from "./value-path";

/** What is planned for an instance of a managed resource. */
interface ManagedPlan {
  /** For references, with marks. */
  readonly value: Value;
  /** Undefined if it could not be planned. */
  readonly change: InstanceChange | undefined;
}

/** Plans an instance of a managed resource, and reports what is wrong with it. */
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
  recordChange(run, block, instance.key, change);
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

/** @throws EvaluationError when `ignore_changes` names what the resource does not have */
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
