import { isRecord } from "../../json/plain-json";
import type { Attribute, Block, Fields } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import type { Type } from "../../schema/type";
import { UNKNOWN } from "../../schema/unknown";
import { type CtyRecord, type CtyValue, noEntries } from "../cty/value";

/**
 * Runs the pass after a change: computed attributes become unknown, unless they keep their value or were
 * decided.
 *
 * @param config undefined inside a value that only the provider sets
 * @param decisions the values that the resource itself has set, at any depth
 */
export function settle(
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
