import { type UnknownReason, Value } from "../expression/value";
import type { SchemaBlock } from "../../core/provider-kit/core";

export type Step = string | number;

/** Returns the part of a value at a path; undefined if there is none, or if it is inside of an unknown value. */
export function valueAt(value: Value, path: readonly Step[]): Value | undefined {
  let found: Value | undefined = value;
  for (const step of path) {
    if (found?.isKnown !== true) return found;
    found = typeof step === "number" ? found.elements()[step] : found.members().get(step);
  }
  return found;
}

/** Returns the reasons for which a part of a configuration is not known, otherwise others: whoever decides it has them. */
export function reasonsAt(
  config: Value,
  path: readonly string[],
  others: readonly UnknownReason[],
): readonly UnknownReason[] {
  const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const given = valueAt(config, steps)?.reasons() ?? [];
  return given.length > 0 ? given : others;
}

/** Replaces the part of a value at a path. A value without that part stays as it is. */
export function withValueAt(
  value: Value,
  [step, ...rest]: readonly Step[],
  part: Value | undefined,
): Value {
  if (step === undefined) return part ?? value;
  if (typeof step === "number") {
    const elements = value.elements();
    const inner = elements[step];
    if (inner === undefined) return value;
    return new Value(
      value.type,
      elements.with(step, withValueAt(inner, rest, part)),
      value.isSensitive,
    );
  }
  const members = new Map(value.members());
  const inner = members.get(step);
  if (rest.length === 0) {
    const isMap = typeof value.type === "object" && "map" in value.type;
    if (part === undefined) {
      if (isMap) members.delete(step);
    } else if (isMap || inner !== undefined) members.set(step, part);
  } else if (inner !== undefined) {
    members.set(step, withValueAt(inner, rest, part));
  }
  return new Value(value.type, members, value.isSensitive);
}

/** Marks the values at paths as sensitive. */
export function withMarks(value: Value, paths: readonly (readonly Step[])[]): Value {
  return paths.reduce((marked, path) => {
    const found = valueAt(marked, path);
    return found === undefined ? marked : withValueAt(marked, path, found.marked(true));
  }, value);
}

/** Returns the paths of all sensitive values, the outermost ones only. */
export function sensitivePaths(value: Value): readonly (readonly Step[])[] {
  if (value.isSensitive) return [[]];
  return [...value.places()].flatMap(([step, part]) =>
    sensitivePaths(part).map((path) => [step, ...path]),
  );
}

/** Marks the values of sensitive attributes: those of an object, or of all objects in a collection. */
export function markedBySchema(value: Value, schema: SchemaBlock): Value {
  if (!schema.hasSensitive) return value;
  const isObject = typeof value.type === "object" && "object" in value.type;
  if (!isObject) return value.withParts((part) => markedBySchema(part, schema));
  return value.withParts((part, name) => {
    const attribute = schema.attributes.get(String(name));
    if (attribute?.isSensitive === true) return part.marked(true);
    const nested = attribute?.nested ?? schema.blocks.get(String(name));
    return nested === undefined ? part : markedBySchema(part, nested.block);
  });
}
