import * as fc from "fast-check";
import type { Attribute, Block, Fields, Type } from "../../../../../src/core/schema";
import type { Args } from "../../tables";
import { freeText } from "./text";
import { validValues, wholeNumber } from "./valid-value";

const maxElements = 3;

/**
 * Arguments that satisfy every single attribute and block of a declaration. Rules across attributes may
 * still refuse them.
 *
 * @param path of the fields, such as `workspace_agent.displayApps`
 */
export function validArgs({ attributes, blocks = {} }: Fields, path: string): fc.Arbitrary<Args> {
  const given = Object.entries(attributes)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name, attribute]) => [name, attributeValue(attribute, `${path}.${name}`)] as const);
  const nested = Object.entries(blocks).map(
    ([name, block]) => [name, blockValue(block, `${path}.${name}`)] as const,
  );
  return fc.record(Object.fromEntries([...given, ...nested])).map(withoutUndefined);
}

function attributeValue({ presence, type }: Attribute, path: string): fc.Arbitrary<unknown> {
  const value = typeValue(type, path);
  return presence === "required" ? value : fc.option(value, { nil: undefined });
}

function typeValue(type: Type, path: string): fc.Arbitrary<unknown> {
  const known = validValues[path];
  if (known !== undefined) return known;
  if (type.rule !== undefined) throw new Error(`validValues needs ${path}: it has a rule`);
  switch (type.kind) {
    case "string":
      return type.values === undefined ? freeText : fc.constantFrom(...type.values);
    case "integer":
      return wholeNumber;
    case "bool":
      return fc.boolean();
    case "map":
      return fc.dictionary(freeText, typeValue(type.of, path), {
        maxKeys: maxElements,
        noNullPrototype: true,
      });
    default:
      throw new Error(`${path} is of a kind that no arbitrary is written for: ${type.kind}`);
  }
}

function blockValue({ fields, min = 0, max }: Block, path: string): fc.Arbitrary<unknown> {
  const element = validArgs(fields, path);
  if (max === 1) return min === 1 ? element : fc.option(element, { nil: undefined });
  return fc.array(element, { minLength: min, maxLength: Math.max(min, maxElements) });
}

/** Arguments without those that are left out. */
export const withoutUndefined = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
