import { isRecord } from "../../json/plain-json";
import type { Attribute, Block, Fields } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import { type Type, UNKNOWN } from "../../schema/type";
import { type CtyRecord, type CtyValue, noEntries, containsUnknown } from "../cty/value";
import { hasSemanticEquality } from "../../schema/nested-attributes";
import { sameKey } from "../cty/equal";

interface Level {
  readonly config: Values | undefined;
  readonly drafted: Values | undefined;
}

/**
 * Returns the draft with the values that the resource itself sets, at any depth. Other values stay as
 * drafted; in an object or a block that the draft does not have, they get their defaults or become unknown.
 */
export function modify(fields: Fields, { config, drafted }: Level, decisions: Values): CtyRecord {
  const { attributes, blocks = {} } = fields;
  // Drafted values have the types of the declaration.
  const values = { ...(drafted ?? undecidedIn(fields)) } as Record<string, CtyValue>;
  for (const name of Object.keys(decisions)) {
    const decision = decisions[name];
    const attribute = attributes[name];
    const block = blocks[name];
    if (decision === undefined) continue;
    if (attribute !== undefined) {
      values[name] = modifyValue(attribute.type, config?.[name], drafted?.[name], decision);
    } else if (block !== undefined) {
      values[name] = modifyBlock(block, config?.[name], drafted?.[name], decision);
    }
  }
  return values;
}

/** Returns the values of an object or a block of which nothing is known. */
function undecidedIn({ attributes, blocks = {} }: Fields): CtyRecord {
  const values: Record<string, CtyValue> = {};
  for (const [name, attribute] of Object.entries(attributes)) values[name] = undecided(attribute);
  for (const [name, { nesting }] of Object.entries(blocks)) {
    values[name] = nesting === "single" ? null : [];
  }
  return values;
}

function undecided({ presence, default: value }: Attribute): CtyValue {
  if (presence === "required" || presence === "optional") return null;
  return value === undefined ? UNKNOWN : (value as CtyValue);
}

function modifyValue(type: Type, config: unknown, drafted: unknown, decision: unknown): CtyValue {
  if (!isRecord(decision)) return decision as CtyValue;
  if (type.kind === "object") return modify(type.fields, levelOf(config, drafted), decision);
  if (!("of" in type) || type.of.kind !== "object") return decision as CtyValue;
  const { of } = type;
  return modifyElements(config, drafted, decision, (given, before, each) =>
    modifyValue(of, given, before, each),
  );
}

function modifyBlock(
  { nesting, fields }: Block,
  config: unknown,
  drafted: unknown,
  decision: unknown,
): CtyValue {
  if (!isRecord(decision)) return decision as CtyValue;
  if (nesting === "single") return modify(fields, levelOf(config, drafted), decision);
  return modifyElements(config, drafted, decision, (given, before, each) =>
    isRecord(each) ? modify(fields, levelOf(given, before), each) : (each as CtyValue),
  );
}

const levelOf = (config: unknown, drafted: unknown): Level => ({
  config: isRecord(config) ? config : undefined,
  drafted: isRecord(drafted) ? drafted : undefined,
});

/**
 * Modifies elements by index or by key. Omitted elements of a map stay, unless only the provider sets the
 * map.
 */
function modifyElements(
  config: unknown,
  drafted: unknown,
  decision: Values,
  modifyElement: (config: unknown, before: unknown, decision: unknown) => CtyValue,
): CtyValue {
  const { config: given = noEntries, drafted: before = noEntries } = levelOf(config, drafted);
  const element = (key: string | number): CtyValue => {
    const each: unknown = decision[key];
    if (each === undefined) return before[key] as CtyValue;
    return modifyElement(given[key], before[key], each);
  };
  // Not `map`, which skips the holes of an array.
  if (Array.isArray(decision)) return Array.from(decision, (_each, index) => element(index));
  const values = Object.create(null) as Record<string, CtyValue>;
  for (const key of Object.keys({ ...given, ...decision })) values[key] = element(key);
  return values;
}

/** Checks whether two known values of an attribute or a block mean the same, although they may differ. */
export function meansTheSame(
  declared: Pick<Attribute | Block, "semanticEquals">,
  one: unknown,
  other: unknown,
): boolean {
  if (declared.semanticEquals === undefined) return false;
  if ((one ?? null) === null || (other ?? null) === null) return false;
  if (containsUnknown(one) || containsUnknown(other)) return false;
  // The values have the declared type, which is not known here.
  return declared.semanticEquals(one as never, other as never);
}

/**
 * Keeps the earlier of two values that mean the same, at any depth outside of sets.
 *
 * @param before the prior state of a read, or the plan of a change
 * @param after the result of the handler
 */
export function keepEquivalent(fields: Fields, before: Values, after: Values): Values {
  if (!hasSemanticEquality(fields)) return after;
  const { attributes, blocks = {} } = fields;
  const kept: Record<string, unknown> = { ...after };
  for (const [name, attribute] of Object.entries(attributes)) {
    kept[name] = meansTheSame(attribute, before[name], after[name])
      ? before[name]
      : inType(attribute.type, before[name], after[name]);
  }
  for (const [name, block] of Object.entries(blocks)) {
    const { nesting, fields: inner } = block;
    if (nesting === "set") {
      if (meansTheSame(block, before[name], after[name])) kept[name] = before[name];
      continue;
    }
    const keep = (one: unknown, other: unknown): unknown =>
      isRecord(one) && isRecord(other) ? keepEquivalent(inner, one, other) : other;
    kept[name] =
      nesting === "single"
        ? keep(before[name], after[name])
        : elements(before[name], after[name], keep);
  }
  return kept;
}

function inType(type: Type, before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  if (type.kind === "object") return keepEquivalent(type.fields, before, after);
  if (!("of" in type) || type.kind === "set") return after;
  return elements(before, after, (one, other) => inType(type.of, one, other));
}

/** Returns the elements of lists by their index, and of maps by their key. */
function elements(
  before: unknown,
  after: unknown,
  keep: (one: unknown, other: unknown) => unknown,
): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  if (Array.isArray(after)) {
    return after.map((each: unknown, index) => keep(before[index], each));
  }
  const kept = Object.create(null) as Record<string, unknown>;
  for (const [key, each] of Object.entries(after))
    kept[key] = keep(before[sameKey(before, key)], each);
  return kept;
}
