import { isRecord } from "../../json/plain-json";
import type { Fields } from "../../schema/attribute";
import { formatPath, type Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import { type Type, UNKNOWN } from "../../schema/type";
import { type CtyType, partOf } from "../cty/type";
import { noEntries } from "../cty/value";
import { ctyTypeOf } from "./cty-type";
import { equalValues } from "../cty/equal";

/**
 * Returns the changed paths that require a replacement, sorted.
 *
 * @param named the addressable paths that the resource itself has named; unchanged ones are left out
 */
export function replacement(
  fields: Fields,
  planned: Values,
  prior: Values,
  named: readonly Path[] = [],
): readonly Path[] {
  const paths: Path[] = [];
  collect(fields, planned, prior, [], paths);
  paths.push(...named.filter((path) => changes(ctyTypeOf(fields), planned, prior, path)));
  return [...new Map(paths.map((path) => [formatPath(path), path]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, path]) => path);
}

/**
 * Returns the part of a path that Terraform can follow: it ends at a set and at a dynamic value.
 *
 * @throws Error when the type does not have the path
 */
export function addressable(type: CtyType, path: Path): Path {
  let at = type;
  for (const [index, step] of path.entries()) {
    if (at === "dynamic" || (typeof at === "object" && "set" in at)) return path.slice(0, index);
    const next = partOf(at, step);
    if (next === undefined)
      throw new Error(`requireReplace needs a declared path (got ${formatPath(path)})`);
    at = next;
  }
  return path;
}

function changes(type: CtyType, planned: unknown, prior: unknown, path: Path): boolean {
  const [step, ...rest] = path;
  const next = step === undefined ? undefined : partOf(type, step);
  if (step === undefined || next === undefined) return !equalValues(type, planned, prior);
  return changes(next, member(planned, step), member(prior, step), rest);
}

/** Returns a value inside another one. Inside an unknown value, everything is unknown. */
function member(value: unknown, step: string | number): unknown {
  if (value === UNKNOWN) return UNKNOWN;
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : null;
}

function collect(fields: Fields, planned: Values, prior: Values, at: Path, paths: Path[]): void {
  const { attributes, blocks = {} } = fields;
  for (const { name, type } of ctyTypeOf(fields).object) {
    const attribute = attributes[name];
    const [after, before] = [planned[name], prior[name]];
    const path = [...at, name];
    if (attribute?.requiresReplace === true) {
      if (!equalValues(type, after, before)) paths.push(path);
      continue;
    }
    const inner = attribute === undefined ? blocks[name]?.fields : nestedFields(attribute.type);
    if (inner === undefined || !replaces(inner)) continue;
    if (typeof type === "object" && "set" in type) {
      // An element of a set cannot be addressed.
      if (!equalValues(type, after, before)) paths.push(path);
    } else compare(type, inner, after, before, path, paths);
  }
}

/**
 * Compares two nested values, element by element in a collection. The nested attributes of a missing value
 * count as null, so an element that appears without a replacing value replaces nothing.
 */
function compare(
  type: CtyType,
  inner: Fields,
  after: unknown,
  before: unknown,
  path: Path,
  paths: Path[],
): void {
  if (after === UNKNOWN || before === UNKNOWN) {
    if (after !== before) paths.push(path);
    return;
  }
  const [planned, prior] = [
    isRecord(after) ? after : noEntries,
    isRecord(before) ? before : noEntries,
  ];
  if (typeof type === "string" || "object" in type) {
    collect(inner, planned, prior, path, paths);
    return;
  }
  if (!("list" in type || "map" in type)) return;
  const element = "list" in type ? type.list : type.map;
  for (const key of new Set([...Object.keys(prior), ...Object.keys(planned)])) {
    const step = "list" in type ? Number(key) : key;
    compare(element, inner, planned[key], prior[key], [...path, step], paths);
  }
}

/** Returns the nested attributes of a type or of its elements. */
function nestedFields(type: Type): Fields | undefined {
  if (type.kind === "object") return type.fields;
  return "of" in type ? nestedFields(type.of) : undefined;
}

/** Checks whether a change of any nested attribute replaces the resource. */
function replaces({ attributes, blocks = {} }: Fields): boolean {
  return (
    Object.values(attributes).some((attribute) => {
      const inner = nestedFields(attribute.type);
      return attribute.requiresReplace === true || (inner !== undefined && replaces(inner));
    }) || Object.values(blocks).some((block) => replaces(block.fields))
  );
}
