import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../core/json/plain-json";
import { typeIn } from "../offline-plan/address";
import type { MovableResource } from "../offline-plan/plan-json";
import { type AttributeChange, attributeChanges } from "./attribute-changes";
import type { ConstructOf, ConstructPlace } from "./construct-place";
import { masked } from "./masked-value";
import type { PlanDocument, PlannedChange, PlannedResource } from "./plan-document";

export type Action =
  | "create"
  | "update"
  | "replace"
  | "delete"
  | "read"
  | "forget"
  | "import"
  | "move";

/** The change of a resource, for people. Contains no secrets. */
export interface ResourceChange extends ConstructPlace {
  readonly address: string;
  readonly action: Action;
  /** Terraform's reason, unless it is a changed configuration. */
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

/** The number of resources by action. A replacement counts only as such. Imported resources can count twice. */
export type ChangeCounts = Readonly<Record<(typeof countedActions)[number], number>>;

export interface Changes {
  readonly resources: readonly ResourceChange[];
  readonly outputs: readonly OutputChange[];
  readonly counts: ChangeCounts;
}

/** Checks for an output by which cdktf passes a value to another stack. */
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
      // People do not need the attributes for other actions.
      attributes: /^(?:create|update|replace)$/.test(action) ? attributeChanges(change) : [],
    },
  ];
}

/** Returns the action of a change; undefined if nothing changes. */
function actionOf({ actions }: PlannedChange): Action | undefined {
  const has = (action: string): boolean => actions.includes(action);
  if (has("create") && (has("delete") || has("forget"))) return "replace";
  return (["create", "update", "delete", "read", "forget"] as const).find(has);
}

function outputChange(name: string, change: PlannedChange): readonly OutputChange[] {
  const planned = actionOf(change);
  if (planned === undefined) return [];
  const { before, after, beforeSensitive, afterSensitive, afterUnknown } = change;
  // A value that was sensitive before stays hidden.
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

/** Terraform's reasons for people. Its other reasons only repeat that the configuration changed. */
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
  read_because_config_unknown: "depends on unknown values",
  read_because_dependency_pending: "depends on changed resources",
};

/** A resource that would be destroyed at one address and created at another, although it is the same. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds constructs that have only moved, so that Terraform would destroy and create their resources: all values of the
 * new resource are the same in the old one.
 *
 * @param movable resources of other providers, converted to new types
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
      // If several match, it is not clear which one moved.
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

export const renameText = ({ from, to }: Rename): string =>
  `${from} and ${to} are the same. To keep the resource, call ` +
  `moveFromId(${JSON.stringify(from)}) on the construct of ${to}.`;
