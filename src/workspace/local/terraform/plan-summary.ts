import { listOf, objectOf, textOf } from "./json-value";

export type PlannedAction = "create" | "update" | "replace" | "delete";

export interface PlannedChange {
  readonly address: string;
  readonly type: string;
  readonly action: PlannedAction;
}

/** What a plan changes; what it leaves alone, reads or only forgets is left out. */
export function planSummary(plan: unknown): readonly PlannedChange[] {
  return listOf(objectOf(plan)["resource_changes"]).flatMap((value) => {
    const change = objectOf(value);
    const action = actionOf(listOf(objectOf(change["change"])["actions"]).map(textOf));
    return action === undefined
      ? []
      : [{ address: textOf(change["address"]), type: textOf(change["type"]), action }];
  });
}

function actionOf(actions: readonly string[]): PlannedAction | undefined {
  if (actions.includes("create")) return actions.includes("delete") ? "replace" : "create";
  if (actions.includes("update")) return "update";
  return actions.includes("delete") ? "delete" : undefined;
}
