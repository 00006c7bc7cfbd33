import { isObject, parsedJson } from "../../json/plain-json";
import { formatPath, type Path } from "../../schema/finding";

/** The error for bytes, JSON or a JavaScript value that does not match its type. */
export class CtyError extends Error {
  override readonly name = "CtyError";

  constructor(
    readonly problem: string,
    readonly path: Path = [],
  ) {
    super(path.length === 0 ? problem : `${formatPath(path)}: ${problem}`);
  }
}

/**
 * A type in Terraform's type system, cty.
 *
 * `"dynamic"` is the type of attributes whose values have their own type. `"decimal"` and `"int64"` are numbers in
 * Terraform, but other values in JavaScript: a decimal string, and a `bigint` of 64 bits.
 *
 * @see {@link https://github.com/zclconf/go-cty/blob/main/docs/types.md}
 */
export type CtyType =
  | "string"
  | "number"
  | "decimal"
  | "int64"
  | "bool"
  | "dynamic"
  | CtyListType
  | CtySetType
  | CtyMapType
  | CtyTupleType
  | CtyObjectType;

/** An ordered sequence of elements of one type. */
interface CtyListType {
  readonly list: CtyType;
}

/** An unordered collection of distinct elements of one type. */
export interface CtySetType {
  readonly set: CtyType;
}

/** Elements of one type with arbitrary string keys. */
interface CtyMapType {
  readonly map: CtyType;
}

/** A sequence of fixed length, in which each element has its own type. */
interface CtyTupleType {
  readonly tuple: readonly CtyType[];
}

/** A fixed set of named attributes, each with its own type. */
export interface CtyObjectType {
  readonly object: readonly CtyField[];
}

/** One attribute of an object type. */
export interface CtyField {
  readonly wire: string;
  /** The property's name in JavaScript; equals `wire` in types that arrive with a dynamic value. */
  readonly name: string;
  readonly type: CtyType;
  /** Lets values omit the attribute, in a type constraint. @default false */
  readonly optional?: boolean;
  /** Encodes an unknown value as one that is not null. @default false */
  readonly neverNull?: boolean;
  /** Decodes null as an empty list. @default false */
  readonly nullIsEmpty?: boolean;
}

/** Returns the type of a part of a value; undefined if the type has no such part. */
export function partOf(type: CtyType, step: string | number): CtyType | undefined {
  if (typeof type === "string") return undefined;
  if ("object" in type) return type.object.find(({ name }) => name === step)?.type;
  if ("map" in type) return typeof step === "string" ? type.map : undefined;
  if (typeof step === "string") return undefined;
  if ("tuple" in type) return type.tuple[step];
  return "list" in type ? type.list : type.set;
}

/** Translates a path from the declaration's names to Terraform's names. */
export function wirePath(type: CtyType, path: Path): Path {
  let at: CtyType | undefined = type;
  return path.map((step) => {
    const wire = at === undefined ? step : wireStep(at, step);
    at = at && partOf(at, step);
    return wire;
  });
}

/** Translates one step of a path in a value of a type. */
export const wireStep = (type: CtyType, step: string | number): string | number =>
  typeof type === "object" && "object" in type
    ? (type.object.find(({ name }) => name === step)?.wire ?? step)
    : step;

const maxDepth = 500;
const primitiveTypes = ["string", "number", "bool", "dynamic"] as const;

/** Returns Terraform's JSON descriptor of a type, with attributes sorted by their Terraform names. */
export function typeToJson(type: CtyType): string {
  return JSON.stringify(describe(type));
}

/**
 * Parses Terraform's JSON type descriptor. Attributes keep their Terraform names.
 *
 * @throws CtyError when the string is not a valid type descriptor
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
    if (primitive === undefined) throw invalid(`contains the unknown type ${JSON.stringify(json)}`);
    return primitive;
  }
  if (!Array.isArray(json)) throw invalid("is neither a name nor an array");
  const [kind, content, optionals, ...rest] = json as readonly unknown[];
  if (json.length < 2 || rest.length > 0 || (optionals !== undefined && kind !== "object")) {
    throw invalid(`has an array of the wrong length (got ${json.length})`);
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
      throw invalid(`contains the unknown kind ${JSON.stringify(kind)}`);
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
