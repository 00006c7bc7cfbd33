import { listOf, objectOf, stringOf } from "./json-value";

/** The planned action on a resource. */
export type PlannedAction = "create" | "update" | "replace" | "delete";

/** A planned change of one resource. */
export interface PlannedChange {
  readonly address: string;
  readonly type: string;
  readonly action: PlannedAction;
}

/** Returns the changes in a plan, without resources that it only reads, forgets or leaves unchanged. */
export function planSummary(plan: unknown): readonly PlannedChange[] {
  return listOf(objectOf(plan)["resource_changes"]).flatMap((value) => {
    const change = objectOf(value);
    const action = actionOf(listOf(objectOf(change["change"])["actions"]).map(stringOf));
    return action === undefined
      ? []
      : [{ address: stringOf(change["address"]), type: stringOf(change["type"]), action }];
  });
}

function actionOf(actions: readonly string[]): PlannedAction | undefined {
  if (actions.includes("create")) return actions.includes("delete") ? "replace" : "create";
  if (actions.includes("update")) return "update";
  return actions.includes("delete") ? "delete" : undefined;
}
