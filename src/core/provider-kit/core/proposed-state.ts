import { isRecord } from "../../json/plain-json";
import { UNKNOWN } from "../../schema/type";
import { equalValues } from "../cty/equal";
import { isSingle, type SchemaAttribute, type SchemaBlock, type SchemaNested } from "./schema";

/**
 * Returns the new state that Terraform proposes to a provider: the configuration, with values from the prior
 * state where it leaves them to the provider.
 *
 * Follows `ProposedNew` in Terraform's `internal/plans/objchange/objchange.go`, including nested blocks and
 * attributes: elements of lists are matched by index, elements of maps by key, and an element of a set is
 * matched with the first element of the state from which it can come.
 *
 * @param prior the prior state; null for a creation, unknown for a data source that is read later
 * @see {@link https://github.com/hashicorp/terraform/blob/main/internal/plans/objchange/objchange.go}
 */
export function proposedState(schema: SchemaBlock, prior: unknown, config: unknown): unknown {
  if (config === null || config === UNKNOWN) return prior;
  return proposedMembers(schema, prior, config);
}

/** Returns a property of a value that can be null or unknown as a whole. */
export function member(value: unknown, name: string): unknown {
  if (value === UNKNOWN) return UNKNOWN;
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function proposedMembers(schema: SchemaBlock, prior: unknown, config: unknown): object {
  const proposed: Record<string, unknown> = {};
  for (const [name, attribute] of schema.attributes) {
    proposed[name] = proposedAttribute(attribute, member(prior, name), member(config, name));
  }
  for (const [name, block] of schema.blocks) {
    proposed[name] = proposedNested(block, member(prior, name), member(config, name));
  }
  return proposed;
}

function proposedAttribute(attribute: SchemaAttribute, prior: unknown, config: unknown): unknown {
  const { isOptional, isComputed, isWriteOnly, nested } = attribute;
  if (isWriteOnly) return null;
  if (isComputed && config === null) {
    const wasConfigured = isOptional && nested !== undefined && containsConfigured(nested, prior);
    return wasConfigured ? null : prior;
  }
  return nested === undefined ? config : proposedNested(nested, prior, config);
}

/** Checks whether a value contains anything that only a configuration can have set. */
function containsConfigured({ nesting, block }: SchemaNested, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const elements = isSingle(nesting) ? [value] : Object.values(value);
  return elements.some((element) =>
    [...block.attributes].some(([name, { isComputed, nested }]) => {
      const inner = member(element, name);
      if (inner === null) return false;
      return !isComputed || (nested !== undefined && containsConfigured(nested, inner));
    }),
  );
}

function proposedNested(
  { nesting, block }: SchemaNested,
  prior: unknown,
  config: unknown,
): unknown {
  if (!isRecord(config)) return config;
  if (isSingle(nesting)) return proposedState(block, prior, config);
  if (nesting === "set") return proposedSet(block, prior, config);
  const proposed = (key: string): unknown => {
    const exists = prior === UNKNOWN || (isRecord(prior) && Object.hasOwn(prior, key));
    return exists ? proposedElement(block, member(prior, key), config[key]) : config[key];
  };
  const keys = Object.keys(config);
  return Array.isArray(config)
    ? keys.map(proposed)
    : Object.fromEntries(keys.map((key) => [key, proposed(key)]));
}

function proposedSet(schema: SchemaBlock, prior: unknown, config: object): unknown {
  const left: unknown[] = Array.isArray(prior) ? Array.from<unknown>(prior) : [];
  return Object.values(config).map((element: unknown) => {
    const at = left.findIndex((candidate) => isPriorOf(schema, candidate, element));
    const [found = null] = at < 0 ? [] : left.splice(at, 1);
    return proposedElement(schema, found, element);
  });
}

/** An element that is unknown as a whole becomes an element with unknown members. */
const proposedElement = (schema: SchemaBlock, prior: unknown, config: unknown): unknown =>
  config === null ? null : proposedMembers(schema, prior, config);

/**
 * Checks whether an element of a set in the state can come from an element of the configuration: they may
 * differ only in values that the configuration leaves to the provider.
 *
 * Follows `validPriorFromConfig` in Terraform's `objchange.go`.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/internal/plans/objchange/objchange.go}
 */
function isPriorOf(schema: SchemaBlock, prior: unknown, config: unknown): boolean {
  if (!isRecord(prior)) return true;
  if (!isRecord(config)) return false;
  return schema.type.object.every(({ name, type }) => {
    const before = prior[name] ?? null;
    const given = config[name] ?? null;
    if (equalValues(type, before, given)) return true;
    if (typeof type === "object" && "set" in type) return false;
    const attribute = schema.attributes.get(name);
    const nested = attribute?.nested ?? schema.blocks.get(name);
    if (nested !== undefined) return isNestedPriorOf(nested, before, given);
    return attribute?.isComputed === true && given === null;
  });
}

function isNestedPriorOf(
  { nesting, block }: SchemaNested,
  prior: unknown,
  config: unknown,
): boolean {
  if (isSingle(nesting) || !isRecord(prior)) return isPriorOf(block, prior, config);
  return Object.entries(prior).every(
    ([key, element]) =>
      isRecord(config) && Object.hasOwn(config, key) && isPriorOf(block, element, config[key]),
  );
}
