import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../core/json/plain-json";
import { typeIn } from "../offline-plan/address";
import type { MovableResource } from "../offline-plan/offline-plan";
import { type AttributeChange, attributeChanges } from "./attribute-changes";
import type { ConstructOf, ConstructPlace } from "./construct-place";
import { masked } from "./masked-value";
import type { PlanDocument, PlannedChange, PlannedResource } from "./plan-document";

/** The action that a plan takes on a resource. */
export type Action =
  "create" | "update" | "replace" | "delete" | "read" | "forget" | "import" | "move";

/** The change of a resource, with the facts that people need. Contains no secrets. */
export interface ResourceChange extends ConstructPlace {
  readonly address: string;
  readonly action: Action;
  /** Terraform's reason, if there is one besides a changed configuration. */
  readonly reason?: string;
  readonly previousAddress?: string;
  readonly importId?: string;
  readonly attributes: readonly AttributeChange[];
}

/** A change of an output. Contains no secrets. */
export interface OutputChange extends Pick<AttributeChange, "action" | "before" | "after"> {
  readonly name: string;
}

export const countedActions = ["import", "create", "update", "replace", "delete"] as const;

/**
 * The number of resources that a plan creates, and so on. A replacement counts only as such. What is imported can also
 * be changed.
 */
export type ChangeCounts = Readonly<Record<(typeof countedActions)[number], number>>;

export interface Changes {
  readonly resources: readonly ResourceChange[];
  readonly outputs: readonly OutputChange[];
  readonly counts: ChangeCounts;
}

/** Recognises the outputs with which cdktf passes values to other stacks. */
export const isCrossStackOutput = (name: string): boolean => name.startsWith("cross-stack-output-");

/**
 * Returns the changes of a plan, without unchanged resources and outputs.
 *
 * @param constructOf returns the construct of a resource
 */
export function changesOf(plan: PlanDocument, constructOf: ConstructOf): Changes {
  const resources = plan.resources.flatMap((each) =>
    resourceChange(each, constructOf, plan.deletedOutside.has(each.address)),
  );
  const count = (action: Action): number =>
    resources.filter((change) => change.action === action).length;
  return {
    resources,
    outputs: plan.outputs
      .filter(({ name }) => !isCrossStackOutput(name))
      .flatMap(({ name, change }) => outputChange(name, change)),
    counts: {
      import: resources.filter(({ importId }) => importId !== undefined).length,
      create: count("create"),
      update: count("update"),
      replace: count("replace"),
      delete: count("delete"),
    },
  };
}

function resourceChange(
  { address, previousAddress, reason, change }: PlannedResource,
  constructOf: ConstructOf,
  isDeletedOutside: boolean,
): readonly ResourceChange[] {
  const { importId } = change;
  const isMoved = previousAddress !== undefined && previousAddress !== address;
  const imported = importId === undefined ? undefined : "import";
  const action = actionOf(change) ?? imported ?? (isMoved ? "move" : undefined);
  if (action === undefined) return [];
  const isGone = isDeletedOutside && action === "create";
  const why = isGone ? "deleted outside of Terraform" : reasons[reason ?? ""];
  return [
    {
      address,
      action,
      ...constructOf(address),
      ...(why !== undefined && { reason: why }),
      ...(isMoved && { previousAddress }),
      ...(importId !== undefined && { importId }),
      attributes: isWithAttributes(action) ? attributeChanges(change) : [],
    },
  ];
}

/** Checks whether an action is shown with its attributes. People do not need those of other actions. */
const isWithAttributes = (action: Action): boolean =>
  ["create", "update", "replace"].includes(action);

/** Returns the action of a change; undefined if nothing is done. */
function actionOf({ actions }: PlannedChange): Action | undefined {
  const has = (action: string): boolean => actions.includes(action);
  if (has("create") && (has("delete") || has("forget"))) return "replace";
  return (["create", "update", "delete", "read", "forget"] as const).find(has);
}

function outputChange(name: string, change: PlannedChange): readonly OutputChange[] {
  const planned = actionOf(change);
  if (planned === undefined) return [];
  const { before, after, beforeSensitive, afterSensitive, afterUnknown } = change;
  // A value that was sensitive stays hidden when it no longer is.
  const isSecret = beforeSensitive === true || afterSensitive === true;
  const left = masked({ value: before, sensitive: isSecret || beforeSensitive });
  const right = masked({
    value: after,
    sensitive: isSecret || afterSensitive,
    unknown: afterUnknown,
  });
  if (planned === "create") return [{ name, action: "add", before: undefined, after: right }];
  if (planned === "delete") return [{ name, action: "remove", before: left, after: undefined }];
  return [{ name, action: "change", before: left, after: right }];
}

/** Terraform's reasons in other words. Its other reasons say only that the configuration changed. */
const reasons: Readonly<Record<string, string>> = {
  replace_because_tainted: "it was not created completely",
  replace_by_request: "as requested",
  replace_by_triggers: "replace_triggered_by",
  delete_because_no_resource_config: "no longer in the stack",
  delete_because_no_module: "its module is no longer in the stack",
  delete_because_wrong_repetition: "count and for_each changed",
  delete_because_count_index: "outside of count",
  delete_because_each_key: "not in for_each",
  delete_because_no_move_target: "no longer in the stack",
  read_because_config_unknown: "depends on what is not known yet",
  read_because_dependency_pending: "depends on what is changed",
};

/** A resource that is destroyed under one address and created under another, although it is the same. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds constructs that have only moved: whatever the new resource sets has the same value in the old one. Terraform
 * would destroy and create them.
 *
 * @param movable resources of other providers, as the new ones
 */
export function renamesIn(
  { resources }: PlanDocument,
  movable: readonly MovableResource[] = [],
): readonly Rename[] {
  const gone = resources
    .filter(({ change }) => String(change.actions) === "delete")
    .map(({ address, change }) => ({
      from: address,
      type: typeIn(address),
      before: change.before,
    }));
  return resources
    .filter(({ change }) => String(change.actions) === "create")
    .flatMap(({ address, change }) => {
      const same = [...gone, ...movable].filter(
        (old) => old.type === typeIn(address) && isSame(old.before, change.after),
      );
      // With several, it is unclear which one moved.
      const [only, ...others] = same;
      if (only === undefined || others.length > 0) return [];
      return [{ from: only.from, to: address }];
    });
}

function isSame(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after)) return false;
  const set = Object.entries(after).filter(([, value]) => value !== null);
  return (
    set.length > 0 && set.every(([name, value]) => isDeepStrictEqual(before[name] ?? null, value))
  );
}

/** Says how to keep the resource. */
export const renameText = ({ from, to }: Rename): string =>
  `${from} and ${to} are the same. To keep the resource, tell Terraform that it moved: ` +
  `call moveFromId(${JSON.stringify(from)}) on the construct of ${to}.`;
