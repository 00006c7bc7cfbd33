import { Value } from "../expression/value";
import { blockAddress } from "./configuration";
import { plainAddress } from "./graph";
import type { PlacedInstance } from "./moves";
import { changeOf } from "./plan-json";
import { identityOf, type PlannedInstance, type PlanRun } from "./plan-run";
import type { Finding } from "./provider-values";
import { type InstanceChange, planInstance } from "./resource-change";
import { isTriggered } from "./triggers";

const preventDestroy: Finding = {
  severity: "error",
  summary: "The resource must not be destroyed",
  detail:
    "Its lifecycle has prevent_destroy, but the plan destroys or replaces it. Undo the change that needs this, " +
    "or remove prevent_destroy.",
  attribute: undefined,
};

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
  const stored = run.storedAt.get(address);
  const isImported = run.configuration.imports.some(({ to }) => plainAddress(to) === address);
  if (stored === undefined && isImported) {
    run.notPlanned.push({ address, why: "import", reasons: [] });
    return notKnown(instance, "network");
  }
  const prior = stored && (await run.priorOf(address, stored, provider, schema));
  if (stored !== undefined && prior === undefined) return notKnown(instance, "apply");
  await run.checkConditions("precondition", instance, variables);
  const change = await planInstance({
    address,
    block,
    provider,
    schema,
    config,
    prior,
    isTriggered: await isTriggered(run, instance),
  });
  run.report(address, change.findings);
  if (change.needsNetwork && !change.after.isKnown) {
    run.notPlanned.push({ address, why: "network", reasons: [] });
    return { value: change.after, change };
  }
  if (change.action === "replace" && block.lifecycle["prevent_destroy"] === true) {
    run.report(address, [preventDestroy]);
  }
  record(run, instance, stored, change);
  const self = new Map([...variables, ["self", change.after] as const]);
  await run.checkConditions("postcondition", instance, self);
  return { value: change.after, change };
}

const notKnown = (
  { address, schema }: PlannedInstance,
  kind: "apply" | "network",
): ManagedPlan => ({
  value: Value.unknown(schema.block.type, { kind, of: address }),
  change: undefined,
});

function record(
  run: PlanRun,
  { address, block, key }: PlannedInstance,
  stored: PlacedInstance | undefined,
  { action, reason, replacePaths, before, after }: InstanceChange,
): void {
  const order = run.createdFirst.has(blockAddress(block))
    ? ["create", "delete"]
    : ["delete", "create"];
  const previous = stored?.previousAddress;
  run.changes.push({
    ...identityOf(address, block, key),
    ...(previous !== undefined && { previous_address: previous }),
    ...(reason !== undefined && { action_reason: reason }),
    change: changeOf(action === "replace" ? order : [action], before, after, replacePaths),
  });
  run.noteUnknown(address, after);
}
