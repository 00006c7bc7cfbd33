import type { Value } from "../expression/value";
import type { PlannedAction } from "../../core/provider-kit/core";
import { type InstanceKey, instanceAddress } from "./address";
import { blockOf } from "./moves";
import { changeOf } from "./plan-json";
import type { PlanRun } from "./plan-run";
import type { StoredInstance } from "./state";
import type { Step } from "./value-path";

/** The planned change of an object, also of one that only the state has. */
interface ObjectChange {
  readonly action: PlannedAction | "read" | "forget";
  readonly reason: string | undefined;
  readonly before: Value;
  readonly after: Value;
  readonly replacePaths?: readonly (readonly Step[])[];
  /** The key of an object that is left over from a replacement. */
  readonly deposedKey?: string | undefined;
}

/** Records the change of an object, and applies the rules in the `lifecycle` of its resource. */
export function recordChange(
  run: PlanRun,
  resource: Pick<StoredInstance, "module" | "mode" | "type" | "name">,
  key: InstanceKey,
  { action, reason, before, after, replacePaths = [], deposedKey }: ObjectChange,
): void {
  const { module, mode, type, name } = resource;
  const block = blockOf(resource);
  const address = instanceAddress(block, key);
  const previous = run.previousAddresses.get(address);
  const order = run.createdFirst.has(block) ? ["create", "delete"] : ["delete", "create"];
  run.changes.push({
    address,
    ...(module !== undefined && { module_address: module }),
    mode,
    type,
    name,
    ...(key !== undefined && { index: key }),
    ...(previous !== undefined && { previous_address: previous }),
    ...(reason !== undefined && { action_reason: reason }),
    ...(deposedKey !== undefined && { deposed: deposedKey }),
    change: changeOf(action === "replace" ? order : [action], before, after, replacePaths),
  });
  const isDestroyed = action === "delete" || action === "replace";
  const lifecycle = run.configuration.resources.get(block)?.lifecycle;
  // The object that replaces it is there already, so a deposed one can go.
  if (isDestroyed && deposedKey === undefined && lifecycle?.preventDestroy === true) {
    run.refuse(
      address,
      "The resource must not be destroyed",
      "Its lifecycle has prevent_destroy, but the plan destroys or replaces it. Undo the change that needs this, " +
        "or remove prevent_destroy.",
    );
  }
}
