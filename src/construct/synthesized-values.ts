import { Token, type TerraformElement } from "cdktf";
import { wireName, type Fields } from "../schema";

/** Values under the names that they have in the declaration. */
export type Values = Readonly<Record<string, unknown>>;

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
  "provisioner",
]);

/**
 * Reads back what a binding hands to Terraform: what the construct was given, changed by setters and
 * `addOverride`. Names that the declaration does not know stay as they are.
 *
 * @returns undefined when the binding hands over nothing, because it was moved
 */
export function synthesizedValues(element: TerraformElement, fields: Fields): Values | undefined {
  const body = synthesizedBody(element);
  return body === undefined ? undefined : valuesOf(body, fields, notOurs);
}

/** What a resource or a provider hands to Terraform, under Terraform's names. */
export function synthesizedBody(element: TerraformElement): Values | undefined {
  const fragment: unknown = element.toTerraform();
  const section = isValues(fragment) ? (fragment["resource"] ?? fragment["provider"]) : undefined;
  const ofType = isValues(section) ? Object.values(section)[0] : undefined;
  const body: unknown = isValues(ofType) ? Object.values(ofType)[0] : undefined;
  return isValues(body) ? body : undefined;
}

function valuesOf(body: Values, fields: Fields, left: ReadonlySet<string>): Values {
  const values: Record<string, unknown> = {};
  const rest = new Set(Object.keys(body).filter((name) => !left.has(name)));
  for (const [name, attribute] of Object.entries(fields.attributes)) {
    const wire = wireName(name, attribute);
    if (rest.delete(wire)) values[name] = body[wire];
  }
  const { dynamic } = body;
  for (const [name, block] of Object.entries(fields.blocks ?? {})) {
    const wire = wireName(name, block);
    if (rest.delete(wire)) values[name] = nested(body[wire], block.fields);
    else if (isValues(dynamic) && wire in dynamic) values[name] = Token.asAny(null);
  }
  for (const name of rest) values[name] = body[name];
  return values;
}

const none: ReadonlySet<string> = new Set();

function nested(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => nested(element, fields));
  if (!isValues(value) || "resolve" in value) return value;
  return valuesOf(value, fields, none);
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;
