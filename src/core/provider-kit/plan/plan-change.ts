import type { Declaration } from "../../schema/declaration";
import { formatPath, type Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import type { CtyObjectType } from "../cty/type";
import { type CtyRecord, unknownPath } from "../cty/value";
import { ctyTypeOf } from "./cty-type";
import { draft } from "./draft";
import { modify } from "./modify";
import { planBreach, type PlanBreach } from "./plan-breach";
import { addressable, replacement } from "./replacement";
import { settle } from "./settle";
import type { TypedValue } from "../../schema/type";
import type { Unknown } from "../../schema/unknown";
import { equalValues } from "../cty/equal";

interface PlanInput {
  readonly declaration: Declaration;
  readonly type: CtyObjectType;
  readonly config: Values;
  /** The prior state; undefined for a creation. */
  readonly prior: Values | undefined;
}

interface PlannedChange {
  /** The planned values, known or unknown. */
  readonly planned: CtyRecord;
  /** The paths whose change replaces the resource, sorted. */
  readonly requiresReplace: readonly Path[];
}

/**
 * The pass of the resource itself: returns values at any depth, known or unknown.
 *
 * @param requireReplace replaces the resource if the value at a path changes
 */
export type ModifyPlan = (
  drafted: CtyRecord,
  requireReplace: (path: Path) => void,
) => Values | undefined | Promise<Values>;

/** Thrown when a resource itself sets a value that Terraform does not accept. */
export class PlanBreachError extends Error {
  constructor(readonly breach: PlanBreach) {
    super(`${formatPath(breach.path)} ${breach.reason}`);
  }
}

/**
 * Plans the change of one resource, in this order:
 *
 * 1. values from the configuration, else defaults (in blocks, too), else values from the state
 * 2. values that the resource itself sets
 * 3. if anything but the timeouts now differs from the state, computed attributes become unknown, unless they keep
 *    their value or were set in step 2
 * 4. the attributes whose change replaces the resource, declared or named in step 2
 *
 * Unknown values come last. If defaults were filled in afterwards, every plan would show a change.
 *
 * @throws PlanBreachError when step 2 sets a value that Terraform does not accept
 */
export async function planChange(input: PlanInput, decide?: ModifyPlan): Promise<PlannedChange> {
  const { declaration, type, config, prior } = input;
  const drafted = draft(declaration, config, prior);
  const replacing: Path[] = [];
  const decision = await decide?.(drafted, (path) => {
    replacing.push(addressable(type, path));
  });
  const values =
    decision === undefined ? drafted : modify(declaration, { config, drafted }, decision);
  if (decision !== undefined) {
    const breach = planBreach(declaration, { prior, config, planned: values, decision });
    if (breach !== undefined) throw new PlanBreachError(breach);
  }
  if (prior === undefined) return { planned: values, requiresReplace: [] };
  if (equalValues(type, values, prior) || changesOnlyTimeouts(declaration, values, prior)) {
    return { planned: values, requiresReplace: [] };
  }
  const planned = settle(declaration, values, config, decision);
  return { planned, requiresReplace: replacement(declaration, planned, prior, replacing) };
}

/** Checks whether nothing but the timeouts differs, which the resource itself does not have. */
export const changesOnlyTimeouts = (
  declaration: Declaration,
  planned: Values,
  prior: Values,
): boolean =>
  Object.keys(declaration.timeouts).length > 0 &&
  equalValues(ctyTypeOf(declaration), { ...planned, timeouts: prior["timeouts"] }, prior);

/** A type without unknown values, at any depth. */
export type Known<T> = T extends Unknown
  ? never
  : T extends TypedValue
    ? T
    : T extends readonly (infer Element)[]
      ? readonly Known<Element>[]
      : T extends object
        ? { readonly [K in keyof T]: Known<T[K]> }
        : T;

/**
 * Returns the same values, typed as known. A plan becomes a state when the handler has added all
 * computed values.
 *
 * @example known({ ...plan, id })
 * @throws Error when a value is still unknown, which is a bug in the handler
 */
export function known<T>(values: T): Known<T> {
  const path = unknownPath(values);
  if (path !== undefined) throw new Error(`${formatPath(path)} was left unknown`);
  return values as Known<T>;
}
