import type { Attribute, Fields } from "./attribute";
import type { Type } from "./type";

interface Place {
  readonly attribute: Attribute;
  /** The path of the attribute, such as `ids_endpoint.labels`. */
  readonly at: string;
  /** The path of the outermost set that contains the attribute. */
  readonly set: string | undefined;
}

/** Lists the attributes of a declaration, block or object at any depth. */
export function* attributesIn(
  { attributes, blocks = {} }: Fields,
  at: string,
  set?: string,
): Generator<Place> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const path = `${at}.${name}`;
    yield { attribute, at: path, set };
    yield* attributesOf(attribute.type, path, set);
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const path = `${at}.${name}`;
    yield* attributesIn(fields, path, set ?? (nesting === "set" ? path : undefined));
  }
}

function* attributesOf(type: Type, at: string, outer?: string): Generator<Place> {
  const set = outer ?? (type.kind === "set" ? at : undefined);
  if (type.kind === "object") yield* attributesIn(type.fields, at, set);
  else if ("of" in type) yield* attributesOf(type.of, at, set);
}

/** Checks whether an attribute of a declaration, block or object fulfils a condition, at any depth. */
export function someAttribute(fields: Fields, is: (attribute: Attribute) => boolean): boolean {
  for (const { attribute } of attributesIn(fields, "")) if (is(attribute)) return true;
  return false;
}
