import { isRecord } from "../../json/plain-json";
import type { Attribute, Block, Fields } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import { type ObjectType, type Type, UNKNOWN } from "../../schema/type";
import { equalValues } from "../cty/equal";
import type { CtyObjectType } from "../cty/type";
import { type CtyRecord, type CtyValue, containsUnknown } from "../cty/value";
import { ctyTypeOf } from "./cty-type";
import { meansTheSame } from "./modify";

/**
 * Runs the first pass of a plan: values from the configuration, else defaults, else values from the state.
 *
 * Values in the state do not become unknown here. A later pass determines whether anything has changed.
 *
 * @param prior the prior state; undefined for a creation, and for an element that the state does not have
 * @param placed the prior state at the same place: Terraform lets a value that means the same be planned only there
 */
export function draft(
  fields: Fields,
  config: Values,
  prior: Values | undefined,
  placed: Values | null | undefined = prior,
): CtyRecord {
  const { attributes, blocks = {} } = fields;
  const values: Record<string, CtyValue> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    values[name] = draftAttribute(attribute, config[name], {
      prior: prior?.[name],
      placed: placed?.[name],
      exists: prior !== undefined,
    });
  }
  for (const [name, block] of Object.entries(blocks)) {
    values[name] = draftBlock(block, config[name], {
      prior: prior?.[name],
      placed: placed?.[name],
    });
  }
  return values;
}

/** What the state has for a value, and what it has at the same place. */
interface Before {
  readonly prior: unknown;
  readonly placed: unknown;
}

function draftAttribute(
  attribute: Attribute,
  config: unknown,
  before: Before & { readonly exists: boolean },
): CtyValue {
  if (attribute.writeOnly === true) return null;
  if (isSingleValue(attribute.type) && meansTheSame(attribute, config, before.placed)) {
    return before.placed as CtyValue;
  }
  if (config !== null && config !== undefined) return draftValue(attribute.type, config, before);
  if (attribute.presence === "required" || attribute.presence === "optional") return null;
  if (attribute.default !== undefined) return attribute.default as CtyValue;
  return before.exists ? ((before.prior ?? null) as CtyValue) : UNKNOWN;
}

/**
 * Checks whether a value of a type is known or unknown as a whole. If a part of another value is unknown in the first
 * plan, that plan has the known parts as they are configured, and the final plan must not change them.
 */
const isSingleValue = ({ kind }: Type): boolean => !composed.has(kind);

const composed = new Set<Type["kind"]>(["list", "set", "map", "object", "dynamic"]);

/** Drafts nested attributes like top-level attributes. Takes any other value from the configuration. */
function draftValue(type: Type, config: unknown, before: Before): CtyValue {
  if (config === UNKNOWN || config === null) return config;
  if (type.kind === "object" && isRecord(config)) return draftFields(type.fields, config, before);
  if (!("of" in type) || type.of.kind !== "object" || !isRecord(config)) return config as CtyValue;
  const of: ObjectType = type.of;
  if (type.kind === "map") {
    const values: Record<string, CtyValue> = Object.create(null) as Record<string, CtyValue>;
    for (const [key, value] of Object.entries(config)) {
      const { prior, placed } = before;
      const at = { prior: member(prior, key), placed: member(placed, key) };
      values[key] = draftValue(of, value, at);
    }
    return values;
  }
  return draftElements(type.kind === "set", of.fields, config, before);
}

const draftFields = (fields: Fields, config: Values, { prior, placed }: Before): CtyRecord =>
  draft(fields, config, isRecord(prior) ? prior : undefined, isRecord(placed) ? placed : null);

const member = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function draftBlock(block: Block, config: unknown, before: Before): CtyValue {
  if (config === UNKNOWN) return UNKNOWN;
  if (block.nesting === "single") {
    return isRecord(config) ? draftFields(block.fields, config, before) : null;
  }
  return isRecord(config)
    ? draftElements(block.nesting === "set", block.fields, config, before)
    : [];
}

function draftElements(
  isSet: boolean,
  fields: Fields,
  config: Values,
  { prior, placed }: Before,
): readonly CtyValue[] {
  const elements: readonly unknown[] = Array.isArray(config) ? config : [];
  const at: readonly unknown[] = Array.isArray(placed) ? placed : [];
  const same = sameElements(isSet, fields, elements, Array.isArray(prior) ? prior : []);
  return elements.map((element, index) => {
    if (!isRecord(element)) return element as CtyValue;
    return draftFields(fields, element, {
      prior: same[index],
      placed: isSet ? undefined : at[index],
    });
  });
}

/** An element of a configured list or set, and the elements of the state that it can leave unchanged. */
interface Choice {
  readonly index: number;
  /** The best ones come first. */
  readonly candidates: readonly unknown[];
  /** How much the best candidate would change: 0 for an element of a set. */
  readonly cost: number;
  /** True if it depends on what is not known yet which of them it takes. */
  isOpen: boolean;
}

/**
 * Finds, for each element of a list or set, the element of the state that it is: a set's element is left unchanged, a
 * list's has the same configured values.
 *
 * Elements with fewer and better candidates choose first, and no candidate is used twice. One that an unknown value could claim is
 * used by no element: the final plan, which knows the value, must not choose differently. So nothing but an element and a
 * candidate decides whether they fit, and how well.
 */
function sameElements(
  isSet: boolean,
  fields: Fields,
  elements: readonly unknown[],
  before: readonly unknown[],
): readonly unknown[] {
  if (before.length === 0 || !computes(fields)) return [];
  const type = ctyTypeOf(fields);
  const matched = isSet ? fields : withoutDefaults(fields);
  const choices = elements.map((element, index): Choice => {
    const isOpen = containsUnknown(element);
    const candidates = before.filter((candidate) => {
      if (!isRecord(candidate)) return false;
      if (!isRecord(element)) return isOpen;
      if (differs(fields, element, candidate)) return false;
      const drafted = draft(matched, element, candidate);
      return isOpen ? couldBe(type, drafted, candidate) : equalValues(type, drafted, candidate);
    });
    if (isSet || !isRecord(element)) return { index, candidates, cost: 0, isOpen };
    // Of the elements with the same configured values, one that needs no change at all, at the same place.
    const costs = new Map(
      candidates.map((each) => [
        each,
        (isUnchanged(fields, element, each) ? 0 : 2) + (before[index] === each ? 0 : 1),
      ]),
    );
    const cost = (candidate: unknown): number => costs.get(candidate) ?? 0;
    const best = candidates.toSorted((one, other) => cost(one) - cost(other));
    return { index, candidates: best, cost: cost(best[0]), isOpen };
  });
  openRelated(choices);
  const taken = new Set<unknown>();
  const same: unknown[] = [];
  for (const { index, candidates, isOpen } of choices.toSorted(
    (a, b) => a.candidates.length - b.candidates.length || a.cost - b.cost,
  )) {
    if (isOpen) continue;
    const free = candidates.find((candidate) => !taken.has(candidate));
    taken.add(free);
    same[index] = free;
  }
  return same;
}

/** Checks cheaply whether a configured string differs, since each element is compared with each one of the state. */
function differs({ attributes }: Fields, element: Values, candidate: Values): boolean {
  for (const name in attributes) {
    const attribute = attributes[name];
    const value = element[name];
    if (attribute?.type.kind !== "string" || attribute.semanticEquals !== undefined) continue;
    if (typeof value === "string" && attribute.writeOnly !== true && value !== candidate[name]) {
      return true;
    }
  }
  return false;
}

const isUnchanged = (fields: Fields, element: Values, candidate: unknown): boolean =>
  isRecord(candidate) &&
  equalValues(ctyTypeOf(fields), draft(fields, element, candidate), candidate);

/**
 * The same fields, whose values come from the state where the configuration has none: a provider can have set another
 * value than the default.
 */
function withoutDefaults(fields: Fields): Fields {
  let bare = bareFields.get(fields);
  if (bare === undefined) {
    const { attributes, blocks } = fields;
    bare = {
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, attribute]) => [
          name,
          { ...attribute, default: undefined, type: bareType(attribute.type) },
        ]),
      ),
      ...(blocks !== undefined && {
        blocks: Object.fromEntries(
          Object.entries(blocks).map(([name, block]) => [
            name,
            { ...block, fields: withoutDefaults(block.fields) },
          ]),
        ),
      }),
    };
    bareFields.set(fields, bare);
  }
  return bare;
}

const bareFields = new WeakMap<Fields, Fields>();

function bareType(type: Type): Type {
  if (type.kind === "object") return { ...type, fields: withoutDefaults(type.fields) };
  return "of" in type ? { ...type, of: bareType(type.of) } : type;
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

/** Checks whether an object could turn out to equal another one, as far as its known attributes show. */
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
