import { isRecord } from "../json/is-object";
import type { Attribute, Fields } from "./attribute";
import type { Path } from "./finding";
import type { Values } from "./resource-rule";
import { someAttribute } from "./some-attribute";
import type { Type } from "./type";

/** Checks whether a declaration, block or object has an attribute that is never null, at any depth. */
export const hasNeverNull = (fields: Fields): boolean => someAttribute(fields, isNeverNull);

const isNeverNull = ({ neverNull }: Attribute): boolean => neverNull === true;

/**
 * Returns the path of the first value that is null although it is declared as never null; undefined if no
 * value is.
 */
export function forbiddenNull(
  { attributes, blocks = {} }: Fields,
  values: Values,
  path: Path = [],
): Path | undefined {
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name] ?? null;
    if (value === null && isNeverNull(attribute)) return [...path, name];
    const found = inType(attribute.type, value, [...path, name]);
    if (found !== undefined) return found;
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const value = values[name];
    const found =
      nesting === "single"
        ? isRecord(value) && forbiddenNull(fields, value, [...path, name])
        : inElements(value, [...path, name], (each, at) =>
            isRecord(each) ? forbiddenNull(fields, each, at) : undefined,
          );
    if (found !== false && found !== undefined) return found;
  }
  return undefined;
}

function inType(type: Type, value: unknown, path: Path): Path | undefined {
  if (!isRecord(value)) return undefined;
  if (type.kind === "object") return forbiddenNull(type.fields, value, path);
  if (!("of" in type)) return undefined;
  return inElements(value, path, (each, at) => inType(type.of, each, at));
}

function inElements(
  value: unknown,
  path: Path,
  search: (each: unknown, path: Path) => Path | undefined,
): Path | undefined {
  if (!isRecord(value)) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const found = search(each, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
