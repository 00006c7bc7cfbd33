import { isRecord } from "../../json/plain-json";
import type { Attribute, Block, Fields } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import type { ObjectType, Type } from "../../schema/type";
import { UNKNOWN } from "../../schema/unknown";
import { equal } from "../cty/equal";
import type { CtyObjectType, CtyType } from "../cty/type";
import type { CtyRecord, CtyValue } from "../cty/value";
import { ctyTypeOf } from "./cty-type";
import { containsUnknown } from "./conformity";
import { meansTheSame } from "./modify";

/**
 * Runs the first pass of a plan: values from the configuration, else defaults, else values from the state.
 *
 * Values in the state do not become unknown here. A later pass determines whether anything has changed.
 *
 * @param prior the prior state; undefined for a creation
 */
export function draft(fields: Fields, config: Values, prior: Values | undefined): CtyRecord {
  const { attributes, blocks = {} } = fields;
  const values: Record<string, CtyValue> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    values[name] = draftAttribute(attribute, config[name], prior?.[name], prior !== undefined);
  }
  for (const [name, block] of Object.entries(blocks)) {
    values[name] = draftBlock(block, config[name], prior?.[name]);
  }
  return values;
}

function draftAttribute(
  attribute: Attribute,
  config: unknown,
  prior: unknown,
  exists: boolean,
): CtyValue {
  if (attribute.writeOnly === true) return null;
  if (isSingleValue(attribute.type) && meansTheSame(attribute, config, prior)) {
    return prior as CtyValue;
  }
  if (config !== null && config !== undefined) return draftValue(attribute.type, config, prior);
  if (attribute.presence === "required" || attribute.presence === "optional") return null;
  if (attribute.default !== undefined) return attribute.default as CtyValue;
  return exists ? ((prior ?? null) as CtyValue) : UNKNOWN;
}

/**
 * Checks whether a value of a type is known or unknown as a whole. If a part of another value is unknown in the first
 * plan, that plan has the known parts as they are configured, and the final plan must not change them.
 */
const isSingleValue = ({ kind }: Type): boolean => !composed.has(kind);

const composed = new Set<Type["kind"]>(["list", "set", "map", "object", "dynamic"]);

/** Drafts nested attributes like top-level attributes. Takes any other value from the configuration. */
function draftValue(type: Type, config: unknown, prior: unknown): CtyValue {
  if (config === UNKNOWN || config === null) return config;
  if (type.kind === "object" && isRecord(config)) {
    return draft(type.fields, config, isRecord(prior) ? prior : undefined);
  }
  if (!("of" in type) || type.of.kind !== "object" || !isRecord(config)) return config as CtyValue;
  const of: ObjectType = type.of;
  if (type.kind === "map") {
    const before: Values = isRecord(prior) ? prior : {};
    const values: Record<string, CtyValue> = Object.create(null) as Record<string, CtyValue>;
    for (const [key, value] of Object.entries(config)) {
      values[key] = draftValue(of, value, before[key]);
    }
    return values;
  }
  return draftElements(type.kind === "set", of.fields, config, prior);
}

function draftBlock(block: Block, config: unknown, prior: unknown): CtyValue {
  if (config === UNKNOWN) return UNKNOWN;
  if (block.nesting === "single") {
    if (!isRecord(config)) return null;
    return draft(block.fields, config, isRecord(prior) ? prior : undefined);
  }
  return isRecord(config)
    ? draftElements(block.nesting === "set", block.fields, config, prior)
    : [];
}

function draftElements(
  isSet: boolean,
  fields: Fields,
  config: Values,
  prior: unknown,
): readonly CtyValue[] {
  const before: readonly unknown[] = Array.isArray(prior) ? prior : [];
  const elements: readonly unknown[] = Array.isArray(config) ? config : [];
  const same = isSet ? sameElements(fields, elements, before) : before;
  return elements.map((element, index) => {
    if (!isRecord(element)) return element as CtyValue;
    const found = same[index];
    return draft(fields, element, isRecord(found) ? found : undefined);
  });
}

/** An element of a configured set, and the elements of the state that it can leave unchanged. */
interface Choice {
  readonly index: number;
  readonly candidates: readonly unknown[];
  /** True if it depends on what is not known yet which of them it takes. */
  isOpen: boolean;
}

/**
 * Finds, for each element of a set, the element of the state that it leaves unchanged.
 *
 * Elements with fewer candidates choose first, and no candidate is used twice. One that an unknown value could claim is
 * used by no element: the final plan, which knows the value, must not choose differently.
 */
function sameElements(
  fields: Fields,
  elements: readonly unknown[],
  before: readonly unknown[],
): readonly unknown[] {
  if (before.length === 0 || !computes(fields)) return [];
  const type = ctyTypeOf(fields);
  const choices = elements.map((element, index): Choice => {
    const isOpen = containsUnknown(element);
    const candidates = before.filter((candidate) => {
      if (!isRecord(candidate)) return false;
      if (!isRecord(element)) return isOpen;
      const drafted = draft(fields, element, candidate);
      return isOpen ? couldBe(type, drafted, candidate) : equalValues(type, drafted, candidate);
    });
    return { index, candidates, isOpen };
  });
  openRelated(choices);
  const taken = new Set<unknown>();
  const same: unknown[] = [];
  for (const { index, candidates, isOpen } of choices.toSorted(
    (a, b) => a.candidates.length - b.candidates.length,
  )) {
    if (isOpen) continue;
    const free = candidates.find((candidate) => !taken.has(candidate));
    taken.add(free);
    same[index] = free;
  }
  return same;
}

/** Opens the choices that depend on an open one, because they have a candidate in common. */
function openRelated(choices: readonly Choice[]): void {
  const claimed = new Set<unknown>();
  const visit = (choice: Choice): void => {
    choice.isOpen = true;
    for (const candidate of choice.candidates) {
      if (claimed.has(candidate)) continue;
      claimed.add(candidate);
      for (const other of choices) {
        if (!other.isOpen && other.candidates.includes(candidate)) visit(other);
      }
    }
  };
  for (const choice of choices) if (choice.isOpen) visit(choice);
}

/** Checks whether an object could turn out to equal another one, as far as its known attributes tell. */
const couldBe = ({ object }: CtyObjectType, one: Values, other: Values): boolean =>
  object.every(
    ({ name, type }) => containsUnknown(one[name]) || equalValues(type, one[name], other[name]),
  );

/** Checks whether the provider computes any value, at any depth. */
function computes({ attributes, blocks = {} }: Fields): boolean {
  return (
    Object.values(attributes).some(
      ({ presence, type }) =>
        presence === "computed" || presence === "optionalComputed" || computesIn(type),
    ) || Object.values(blocks).some((block) => computes(block.fields))
  );
}

function computesIn(type: Type): boolean {
  if (type.kind === "object") return computes(type.fields);
  return "of" in type && computesIn(type.of);
}

/** Compares two decoded values of a type. A missing value equals null. */
export function equalValues(type: CtyType, a: unknown, b: unknown): boolean {
  return equal(type, (a ?? null) as CtyValue, (b ?? null) as CtyValue);
}
