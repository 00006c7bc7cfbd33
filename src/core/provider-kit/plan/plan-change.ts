import { isRecord } from "../../json/plain-json";
import type { Attribute, Block, Fields } from "../../schema/attribute";
import type { Declaration } from "../../schema/declaration";
import { formatPath, type Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import { type Type, type TypedValue, type Unknown, UNKNOWN } from "../../schema/type";
import { equalValues } from "../cty/equal";
import type { CtyObjectType } from "../cty/type";
import { type CtyRecord, type CtyValue, noEntries, unknownPath } from "../cty/value";
import { ctyTypeOf } from "./cty-type";
import { draft } from "./draft";
import { modify } from "./modify";
import { planBreach, type PlanBreach } from "./plan-breach";
import { addressable, replacement } from "./replacement";

interface PlanInput {
  readonly declaration: Declaration;
  readonly type: CtyObjectType;
  readonly config: Values;
  /** The prior state; undefined for a creation. */
  readonly prior: Values | undefined;
}

interface PlannedChange {
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

/**
 * Runs the pass after a change: computed attributes become unknown, unless they keep their value or were
 * decided.
 *
 * @param config undefined inside a value that only the provider sets
 * @param decisions the values that the resource itself has set, at any depth
 */
function settle(
  fields: Fields,
  values: CtyRecord,
  config: Values | undefined,
  decisions: Values = {},
): CtyRecord {
  const { attributes, blocks = {} } = fields;
  const settled: Record<string, CtyValue> = { ...values };
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name] ?? null;
    const decision = decisions[name];
    settled[name] =
      decision === undefined && isProvided(attribute, config)
        ? kept(attribute, value)
        : settleValue(attribute.type, value, config?.[name], decision);
  }
  for (const [name, block] of Object.entries(blocks)) {
    const value = values[name] ?? null;
    settled[name] = settleBlock(block, value, config?.[name], decisions[name]);
  }
  return settled;
}

/** Checks whether only the provider can set an attribute. */
const isProvided = ({ presence }: Attribute, config: Values | undefined): boolean =>
  presence === "computed" || (config === undefined && presence !== "optionalComputed");

/** Null is kept, too, unless the value is never null, so that the state is from before there was the attribute. */
const kept = ({ useStateForUnknown, neverNull }: Attribute, value: CtyValue): CtyValue =>
  useStateForUnknown === true && (value !== null || neverNull !== true) ? value : UNKNOWN;

function settleValue(type: Type, value: CtyValue, config: unknown, decision: unknown): CtyValue {
  if (!isOpen(value, config, decision)) return value;
  if (type.kind === "object") return settleFields(type.fields, value, config, decision);
  if (!("of" in type) || type.of.kind !== "object") return value;
  const { of } = type;
  return settleElements(value, config, decision, (each, given, decided) =>
    settleValue(of, each, given, decided),
  );
}

function settleBlock(block: Block, value: CtyValue, config: unknown, decision: unknown): CtyValue {
  if (!isOpen(value, config, decision)) return value;
  if (block.nesting === "single") return settleFields(block.fields, value, config, decision);
  return settleElements(value, config, decision, (each, given, decided) =>
    isOpen(each, given, decided) ? settleFields(block.fields, each, given, decided) : each,
  );
}

/** Checks whether a value can contain undecided attributes. */
function isOpen(value: CtyValue, config: unknown, decision: unknown): value is CtyRecord {
  if (!isRecord(value)) return false;
  return decision === undefined ? isRecord(config) : isRecord(decision);
}

const settleFields = (
  fields: Fields,
  value: CtyRecord,
  config: unknown,
  decision: unknown,
): CtyRecord =>
  settle(
    fields,
    value,
    isRecord(config) ? config : undefined,
    isRecord(decision) ? decision : undefined,
  );

/** Settles elements by index or by key. */
function settleElements(
  value: CtyRecord,
  config: unknown,
  decision: unknown,
  settleElement: (value: CtyValue, config: unknown, decision: unknown) => CtyValue,
): CtyValue {
  const given: Values = isRecord(config) ? config : noEntries;
  const decided: Values = isRecord(decision) ? decision : noEntries;
  if (Array.isArray(value)) {
    return (value as readonly CtyValue[]).map((each, index) =>
      settleElement(each, given[index], decided[index]),
    );
  }
  const settled = Object.create(null) as Record<string, CtyValue>;
  for (const [key, each] of Object.entries(value)) {
    settled[key] = settleElement(each, given[key], decided[key]);
  }
  return settled;
}
