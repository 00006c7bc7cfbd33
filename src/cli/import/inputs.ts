import { equals } from "../../planner/expression/equality";
import { Value } from "../../planner/expression/value";
import type { PlanningProvider } from "../../planner/offline-plan/provider";
import { hasErrors, isError, type SchemaBlock } from "../../core/provider-kit/core";
import type { CompiledSchema } from "../../planner/offline-plan/provider-values";
import type { ExistingState } from "./connected-provider";

/** The inputs of a construct for an existing resource. */
export interface Inputs {
  /** All attributes and blocks of the schema, null or empty if they are not set. */
  readonly values: Value;
  /** The names of sensitive values, which are not written to code. */
  readonly secrets: readonly string[];
  /** The names of attributes and blocks that a plan would still change. */
  readonly changed: readonly string[];
  readonly errors: readonly string[];
}

type Attempt = Pick<Inputs, "values" | "changed" | "errors">;

/**
 * Finds the fewest inputs with which a plan changes nothing. Values that the provider would decide in the same way, even
 * for a new resource, are left out.
 */
export async function inputsFor(
  typeName: string,
  schema: CompiledSchema,
  existing: ExistingState,
  provider: PlanningProvider,
): Promise<Inputs> {
  const { block } = schema;
  const attempt = async (values: Value): Promise<Attempt> => {
    const diagnostics = await provider.validate("resource", typeName, schema, values);
    const plan = hasErrors(diagnostics)
      ? undefined
      : await provider.planned(typeName, schema, values, existing);
    const all = [...diagnostics, ...(plan?.diagnostics ?? [])];
    const errors = all.filter(isError);
    return {
      values,
      changed: plan === undefined ? [] : differing(existing.state, plan.value),
      errors: errors.map(({ summary, detail }) => `${summary}: ${detail}`),
    };
  };
  const isDecidedAgain = async (name: string, values: Value): Promise<boolean> => {
    const { value } = await provider.planned(typeName, schema, values);
    if (value.isNull) return false;
    const [now, again] = [existing.state, value].map((each) => each.members().get(name));
    return now !== undefined && again !== undefined && equals(now, again) === true;
  };
  const all = given(existing.state, block);
  let best = await attempt(without(all, secretsOf(block), block));
  const optional = [...block.attributes].flatMap(([name, { isRequired }]) =>
    isRequired ? [] : [name],
  );
  for (const name of [...optional, ...block.blocks.keys()]) {
    if (isEmpty(best.values.members().get(name))) continue;
    const next = await attempt(without(best.values, [name], block));
    const order = compared(next, best);
    if (order < 0 || (order === 0 && (await isDecidedAgain(name, next.values)))) best = next;
  }
  const secrets = secretsOf(block).filter((name) => !isEmpty(all.members().get(name)));
  return { ...best, secrets };
}

/** Negative if an attempt has fewer errors or, with as many, changes less. */
const compared = (next: Attempt, best: Attempt): number =>
  next.errors.length - best.errors.length || next.changed.length - best.changed.length;

function differing(before: Value, after: Value): readonly string[] {
  const planned = after.members();
  return [...before.members()].flatMap(([name, value]) => {
    const other = planned.get(name);
    return other !== undefined && equals(value, other) === true ? [] : [name];
  });
}

/** Checks for a value that need not be written. */
export const isEmpty = (value: Value | undefined): boolean =>
  value === undefined ||
  value.isNull ||
  (Array.isArray(value.content) && value.content.length === 0);

const secretsOf = (block: SchemaBlock): readonly string[] => [
  ...[...block.attributes].flatMap(([name, { isSensitive, nested }]) =>
    isSensitive || nested?.block.hasSensitive === true ? [name] : [],
  ),
  ...[...block.blocks].flatMap(([name, { block: inner }]) => (inner.hasSensitive ? [name] : [])),
];

function given(state: Value, block: SchemaBlock): Value {
  const members = new Map(state.members());
  for (const [name, { type, isRequired, isOptional, isWriteOnly, nested }] of block.attributes) {
    const value = members.get(name);
    if (value === undefined || (!isRequired && !isOptional) || isWriteOnly) {
      members.set(name, Value.null(type));
    } else if (nested !== undefined) members.set(name, eachObject(value, nested.block));
  }
  for (const [name, { block: inner }] of block.blocks) {
    const value = members.get(name);
    if (value !== undefined) members.set(name, eachObject(value, inner));
  }
  return new Value(block.type, members);
}

function eachObject(value: Value, block: SchemaBlock): Value {
  if (value.isNull) return value;
  const isObject = typeof value.type === "object" && "object" in value.type;
  return isObject ? given(value, block) : value.withParts((part) => given(part, block));
}

function without(values: Value, names: readonly string[], block: SchemaBlock): Value {
  const members = new Map(values.members());
  for (const name of names) {
    const type = block.attributes.get(name)?.type;
    const nested = block.blocks.get(name);
    if (type !== undefined) members.set(name, Value.null(type));
    else if (nested !== undefined) members.set(name, noBlocks(members.get(name), nested.block));
  }
  return new Value(values.type, members);
}

/** The value of a missing block: empty if it can be repeated, else null. */
const noBlocks = (value: Value | undefined, block: SchemaBlock): Value =>
  value !== undefined && Array.isArray(value.content)
    ? new Value(value.type, [])
    : Value.null(block.type);
