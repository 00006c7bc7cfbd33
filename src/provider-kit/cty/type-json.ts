import { isObject } from "../../json/is-object";
import { CtyError } from "./error";
import type { CtyField, CtyType } from "./type";
import { parsedJson } from "../../json/plain-json";

const maxDepth = 500;
const primitiveTypes = ["string", "number", "bool", "dynamic"] as const;

/**
 * Returns Terraform's JSON descriptor of a type, with attributes sorted by their Terraform names.
 */
export function typeToJson(type: CtyType): string {
  return JSON.stringify(describe(type));
}

/**
 * Parses Terraform's JSON type descriptor. Attributes keep their Terraform names.
 *
 * @throws CtyError when the text is not a valid type descriptor
 */
export function typeFromJson(text: string): CtyType {
  const json = parsedJson(text);
  if (json === undefined) throw invalid("is not JSON");
  return parse(json, 0);
}

/** Returns the descriptor before it is converted to JSON. */
function describe(type: CtyType): unknown {
  if (type === "decimal" || type === "int64") return "number";
  if (typeof type === "string") return type;
  if ("list" in type) return ["list", describe(type.list)];
  if ("set" in type) return ["set", describe(type.set)];
  if ("map" in type) return ["map", describe(type.map)];
  if ("tuple" in type) return ["tuple", type.tuple.map(describe)];
  const fields = type.object.toSorted((a, b) => (a.wire < b.wire ? -1 : 1));
  const attributes = Object.fromEntries(fields.map((field) => [field.wire, describe(field.type)]));
  const optionals = fields.filter(({ optional }) => optional).map(({ wire }) => wire);
  return optionals.length === 0 ? ["object", attributes] : ["object", attributes, optionals];
}

function parse(json: unknown, depth: number): CtyType {
  if (depth > maxDepth) throw invalid(`is nested deeper than ${maxDepth} levels`);
  if (typeof json === "string") {
    const primitive = primitiveTypes.find((name) => name === json);
    if (primitive === undefined) throw invalid(`names the unknown type ${JSON.stringify(json)}`);
    return primitive;
  }
  if (!Array.isArray(json)) throw invalid("is neither a name nor an array");
  const [kind, content, optionals, ...rest] = json as readonly unknown[];
  if (json.length < 2 || rest.length > 0 || (optionals !== undefined && kind !== "object")) {
    throw invalid(`has ${json.length} parts`);
  }
  switch (kind) {
    case "list":
      return { list: parse(content, depth + 1) };
    case "set":
      return { set: parse(content, depth + 1) };
    case "map":
      return { map: parse(content, depth + 1) };
    case "tuple":
      if (!Array.isArray(content)) throw invalid("has a tuple without an array of types");
      return { tuple: content.map((element) => parse(element, depth + 1)) };
    case "object":
      return { object: parseFields(content, optionals, depth + 1) };
    default:
      throw invalid(`names the unknown kind ${JSON.stringify(kind)}`);
  }
}

function parseFields(content: unknown, optionals: unknown, depth: number): readonly CtyField[] {
  if (!isObject(content)) throw invalid("has an object without a map of attributes");
  const entries = Object.entries(content);
  const optionalNames = parseOptionals(optionals, new Set(entries.map(([wire]) => wire)));
  return entries.map(([wire, json]) => {
    const field = { wire, name: wire, type: parse(json, depth) };
    return optionalNames.has(wire) ? { ...field, optional: true } : field;
  });
}

function parseOptionals(optionals: unknown, known: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>();
  if (optionals === undefined) return names;
  if (!Array.isArray(optionals)) throw invalid("has optional attributes that are not an array");
  for (const name of optionals as readonly unknown[]) {
    if (typeof name !== "string" || !known.has(name)) {
      throw invalid("lists an optional attribute that the object does not have");
    }
    names.add(name);
  }
  return names;
}

function invalid(problem: string): CtyError {
  return new CtyError(`the type descriptor ${problem}`);
}
