import { Token } from "cdktf";
import { isRecord, type Properties } from "../../json/plain-json";
import { wireName, type Block, type Declaration, type Fields } from "../../schema";
import { translated, type Vocabulary } from "../product/vocabulary";

const notOurs = new Set([
  "//",
  "alias",
  "connection",
  "count",
  "depends_on",
  "dynamic",
  "for_each",
  "lifecycle",
  "provider",
  "providers",
  "provisioner",
]);

/**
 * The synthesized values of a binding, by the names of its declaration: the arguments of the construct, changed by
 * setters and `addOverride`. Names that the declaration does not have are kept.
 *
 * @param body the values by Terraform's names
 * @param toOurs translates the names and enum values of another product to ours
 */
export function declaredValues(
  body: Properties,
  declaration: Declaration,
  toOurs?: Vocabulary,
): Properties {
  const values = valuesOf(toOurs === undefined ? body : translated(body, toOurs), declaration);
  if (declaration.kind !== "module") return values;
  const [own, variables] = [true, false].map((isOwn) =>
    Object.fromEntries(
      Object.entries(values).filter(
        ([name]) => Object.hasOwn(declaration.attributes, name) === isOwn,
      ),
    ),
  );
  return { ...own, variables };
}

interface Named {
  readonly name: string;
  readonly block: Block | undefined;
}

const namesOf = new WeakMap<Fields, ReadonlyMap<string, Named>>();

function names(fields: Fields): ReadonlyMap<string, Named> {
  const known = namesOf.get(fields);
  if (known !== undefined) return known;
  const created = new Map<string, Named>();
  for (const [name, attribute] of Object.entries(fields.attributes)) {
    created.set(wireName(name, attribute), { name, block: undefined });
  }
  for (const [name, block] of Object.entries(fields.blocks ?? {})) {
    created.set(wireName(name, block), { name, block });
  }
  namesOf.set(fields, created);
  return created;
}

function valuesOf(body: Properties, fields: Fields): Properties {
  const values: Record<string, unknown> = {};
  const known = names(fields);
  for (const wire in body) {
    const value = body[wire];
    if (value === undefined) continue;
    const named = known.get(wire);
    if (named !== undefined) values[named.name] = nested(value, named.block);
    else if (!notOurs.has(wire)) values[wire] = value;
  }
  // Terraform generates the blocks of these names when it runs.
  for (const wire in isRecord(body["dynamic"]) ? body["dynamic"] : {}) {
    values[known.get(wire)?.name ?? wire] = Token.asAny(null);
  }
  return values;
}

function nested(value: unknown, block: Block | undefined): unknown {
  if (block === undefined) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => nested(element, block));
  if (!isRecord(value) || "resolve" in value) return value;
  return valuesOf(value, block.fields);
}
