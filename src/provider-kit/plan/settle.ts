import { isRecord } from "../../json/is-object";
import type { Attribute, Block, Fields } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import type { Type } from "../../schema/type";
import { UNKNOWN } from "../../schema/unknown";
import type { CtyRecord, CtyValue } from "../cty/value";

/**
 * The pass after something has changed: computed attributes become unknown, unless they keep their
 * value or are in `decided`.
 *
 * @param decided the attributes that the resource itself has set
 */
export function settle(
  fields: Fields,
  values: CtyRecord,
  config: Values,
  decided: ReadonlySet<string> = new Set(),
): CtyRecord {
  const { attributes, blocks = {} } = fields;
  const settled: Record<string, CtyValue> = { ...values };
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name] ?? null;
    if (!decided.has(name)) settled[name] = settleAttribute(attribute, value, config[name]);
  }
  for (const [name, block] of Object.entries(blocks)) {
    const value = values[name] ?? null;
    if (!decided.has(name)) settled[name] = settleBlock(block, value, config[name]);
  }
  return settled;
}

function settleAttribute(attribute: Attribute, value: CtyValue, config: unknown): CtyValue {
  if (attribute.presence === "computed") {
    return attribute.useStateForUnknown === true && value !== null ? value : UNKNOWN;
  }
  return settleValue(attribute.type, value, config);
}

function settleValue(type: Type, value: CtyValue, config: unknown): CtyValue {
  if (!isRecord(value) || !isRecord(config)) return value;
  if (type.kind === "object") return settle(type.fields, value, config);
  if (!("of" in type) || type.of.kind !== "object") return value;
  if (type.kind !== "map") return settleElements(type.of.fields, value, config);
  const settled: Record<string, CtyValue> = Object.create(null) as Record<string, CtyValue>;
  for (const [key, element] of Object.entries(value)) {
    settled[key] = settleValue(type.of, element, config[key]);
  }
  return settled;
}

function settleBlock(block: Block, value: CtyValue, config: unknown): CtyValue {
  if (!isRecord(value) || !isRecord(config)) return value;
  return block.nesting === "single"
    ? settle(block.fields, value, config)
    : settleElements(block.fields, value, config);
}

function settleElements(fields: Fields, value: CtyValue, config: Values): CtyValue {
  if (!Array.isArray(value)) return value;
  return (value as readonly CtyValue[]).map((element, index) => {
    const given = config[index];
    return isRecord(element) && isRecord(given) ? settle(fields, element, given) : element;
  });
}
