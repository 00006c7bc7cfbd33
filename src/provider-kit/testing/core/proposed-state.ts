import type { Attribute, Fields } from "../../../schema/attribute";
import { UNKNOWN } from "../../../schema/unknown";
import { isRecord } from "../../../json/plain-json";
import { isComputed, type Nested, nestedType } from "./nested-type";
import { ctyTypeOf } from "../../plan/cty-type";
import { equalValues } from "../../plan/draft";

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
export function proposedState(fields: Fields, prior: unknown, config: unknown): unknown {
  if (config === null || config === UNKNOWN) return prior;
  return proposedMembers(fields, prior, config);
}

/** Returns a property of a value that can be null or unknown as a whole. */
export function member(value: unknown, name: string): unknown {
  if (value === UNKNOWN) return UNKNOWN;
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function proposedMembers(fields: Fields, prior: unknown, config: unknown): object {
  const { attributes, blocks = {} } = fields;
  return Object.fromEntries([
    ...Object.entries(attributes).map(
      ([name, attribute]) =>
        [name, proposedAttribute(attribute, member(prior, name), member(config, name))] as const,
    ),
    ...Object.entries(blocks).map(
      ([name, block]) =>
        [name, proposedNested(block, member(prior, name), member(config, name))] as const,
    ),
  ]);
}

function proposedAttribute(attribute: Attribute, prior: unknown, config: unknown): unknown {
  if (attribute.writeOnly === true) return null;
  const nested = nestedType(attribute.type);
  if (isComputed(attribute) && config === null) {
    const wasConfigured =
      attribute.presence === "optionalComputed" &&
      nested !== undefined &&
      containsConfigured(nested, prior);
    return wasConfigured ? null : prior;
  }
  return nested === undefined ? config : proposedNested(nested, prior, config);
}

/** Checks whether a value contains anything that only a configuration can have set. */
function containsConfigured({ nesting, fields }: Nested, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const elements = nesting === "single" ? [value] : Object.values(value);
  return elements.some((element) =>
    Object.entries(fields.attributes).some(([name, attribute]) => {
      const inner = member(element, name);
      if (inner === null) return false;
      if (!isComputed(attribute)) return true;
      const nested = nestedType(attribute.type);
      return nested !== undefined && containsConfigured(nested, inner);
    }),
  );
}

function proposedNested({ nesting, fields }: Nested, prior: unknown, config: unknown): unknown {
  if (!isRecord(config)) return config;
  if (nesting === "single") return proposedState(fields, prior, config);
  if (nesting === "set") return proposedSet(fields, prior, config);
  const proposed = (key: string): unknown => {
    const exists = prior === UNKNOWN || (isRecord(prior) && Object.hasOwn(prior, key));
    return exists ? proposedElement(fields, member(prior, key), config[key]) : config[key];
  };
  const keys = Object.keys(config);
  return Array.isArray(config)
    ? keys.map(proposed)
    : Object.fromEntries(keys.map((key) => [key, proposed(key)]));
}

function proposedSet(fields: Fields, prior: unknown, config: object): unknown {
  const left: unknown[] = Array.isArray(prior) ? Array.from<unknown>(prior) : [];
  return Object.values(config).map((element: unknown) => {
    const at = left.findIndex((candidate) => isPriorOf(fields, candidate, element));
    const [found = null] = at < 0 ? [] : left.splice(at, 1);
    return proposedElement(fields, found, element);
  });
}

/** An element that is unknown as a whole becomes an element with unknown members. */
const proposedElement = (fields: Fields, prior: unknown, config: unknown): unknown =>
  config === null ? null : proposedMembers(fields, prior, config);

/**
 * Checks whether an element of a set in the state can come from an element of the configuration: they may
 * differ only in values that the configuration leaves to the provider.
 *
 * Follows `validPriorFromConfig` in Terraform's `objchange.go`.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/internal/plans/objchange/objchange.go}
 */
function isPriorOf(fields: Fields, prior: unknown, config: unknown): boolean {
  if (!isRecord(prior)) return true;
  if (!isRecord(config)) return false;
  const { attributes, blocks = {} } = fields;
  return ctyTypeOf(fields).object.every(({ name, type }) => {
    const before = prior[name] ?? null;
    const given = config[name] ?? null;
    if (equalValues(type, before, given)) return true;
    if (typeof type === "object" && "set" in type) return false;
    const attribute = attributes[name];
    const nested = attribute === undefined ? blocks[name] : nestedType(attribute.type);
    if (nested !== undefined) return isNestedPriorOf(nested, before, given);
    return attribute !== undefined && isComputed(attribute) && given === null;
  });
}

function isNestedPriorOf({ nesting, fields }: Nested, prior: unknown, config: unknown): boolean {
  if (nesting === "single" || !isRecord(prior)) return isPriorOf(fields, prior, config);
  return Object.entries(prior).every(
    ([key, element]) =>
      isRecord(config) && Object.hasOwn(config, key) && isPriorOf(fields, element, config[key]),
  );
}
