import type { Declaration } from "../../schema/declaration";
import type { Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import type { CtyObjectType } from "../cty/type";
import type { CtyRecord } from "../cty/value";
import { draft, equalValues } from "./draft";
import { replacement } from "./replacement";
import { settle } from "./settle";

/** What a plan of one resource is made from. */
export interface PlanInput {
  readonly declaration: Declaration;
  readonly type: CtyObjectType;
  readonly config: Values;
  /** The state; undefined while creating. */
  readonly prior: Values | undefined;
}

/** The plan of one resource. */
export interface PlannedChange {
  readonly planned: CtyRecord;
  readonly requiresReplace: readonly Path[];
}

/** The resource's own say in a plan: values of what it computes, known or unknown. */
export type ModifyPlan = (drafted: CtyRecord) => CtyRecord | Promise<CtyRecord>;

/**
 * Plans the change of one resource, in this order:
 *
 * 1. the configuration; defaults where it says nothing, in blocks too; else what the state holds
 * 2. what the resource itself decides
 * 3. if anything differs from the state by now, what the provider computes becomes unknown, unless it
 *    is kept or was decided in step 2
 * 4. the attributes whose change replaces the resource
 *
 * Unknown comes last, because a default that is filled after it would be a change in every plan.
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
