import type { Fields } from "../../../schema/attribute";
import { isRecord } from "../../../json/is-object";
import { ctyTypeOf } from "../../plan/cty-type";
import { equalValues } from "../../plan/draft";
import { isComputed, type Nested, nestedType } from "./nested-type";

/**
 * Checks whether an element of a set in the state can come from an element of the configuration: they may
 * differ only in values that the configuration leaves to the provider.
 *
 * Follows `validPriorFromConfig` in Terraform's `objchange.go`.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/internal/plans/objchange/objchange.go}
 */
export function isPriorOf(fields: Fields, prior: unknown, config: unknown): boolean {
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
