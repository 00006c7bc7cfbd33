import type { Declaration } from "../../schema/declaration";
import type { Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import type { CtyObjectType } from "../cty/type";
import type { CtyRecord } from "../cty/value";
import { draft, equalValues } from "./draft";
import { replacement } from "./replacement";
import { settle } from "./settle";

/** The input for the plan of one resource. */
export interface PlanInput {
  readonly declaration: Declaration;
  readonly type: CtyObjectType;
  readonly config: Values;
  /** The prior state; undefined for a creation. */
  readonly prior: Values | undefined;
}

/** The plan of one resource. */
export interface PlannedChange {
  /** The planned values, known or unknown. */
  readonly planned: CtyRecord;
  /** The paths whose change replaces the resource, sorted. */
  readonly requiresReplace: readonly Path[];
}

/** The resource's own pass: returns values for computed attributes, known or unknown. */
export type ModifyPlan = (drafted: CtyRecord) => CtyRecord | Promise<CtyRecord>;

/**
 * Plans the change of one resource, in this order:
 *
 * 1. values from the configuration, else defaults (in blocks, too), else values from the state
 * 2. values that the resource itself sets
 * 3. if anything now differs from the state, computed attributes become unknown, unless they keep
 *    their value or were set in step 2
 * 4. the attributes whose change replaces the resource
 *
 * Unknown values come last. If defaults were filled in afterwards, every plan would show a change.
 */
export async function planChange(input: PlanInput, decide?: ModifyPlan): Promise<PlannedChange> {
  const { declaration, type, config, prior } = input;
  const drafted = draft(declaration, config, prior);
  const decisions = (await decide?.(drafted)) ?? {};
  const values: CtyRecord = { ...drafted, ...decisions };
  if (prior === undefined) return { planned: values, requiresReplace: [] };
  if (equalValues(type, values, prior)) return { planned: values, requiresReplace: [] };
  const decided = new Set(Object.keys(decisions));
  const planned = settle(declaration, values, config, decided);
  return { planned, requiresReplace: replacement(declaration, planned, prior) };
}
