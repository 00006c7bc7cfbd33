import { isMap, isObject } from "../expression/types";
import { type UnknownReason, Value } from "../expression/value";
import type { SchemaBlock } from "../../core/provider-kit/core";

export type Step = string | number;

/** Returns the part of a value at a path, or the unknown value that contains it; undefined if there is none. */
export function valueAt(value: Value, path: readonly Step[]): Value | undefined {
  let found: Value | undefined = value;
  for (const step of path) {
    if (found?.isKnown !== true) return found;
    found = typeof step === "number" ? found.elements()[step] : found.members().get(step);
  }
  return found;
}

/** Returns why a part of a configuration is unknown; the other reasons if it is known or not set. */
export function reasonsAt(
  config: Value,
  path: readonly string[],
  others: readonly UnknownReason[],
): readonly UnknownReason[] {
  const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const given = valueAt(config, steps)?.reasons() ?? [];
  return given.length > 0 ? given : others;
}

/** Replaces the part of a value at a path. A value without that part stays the same. */
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
    if (part === undefined) {
      if (isMap(value.type)) members.delete(step);
    } else if (isMap(value.type) || inner !== undefined) members.set(step, part);
  } else if (inner !== undefined) {
    members.set(step, withValueAt(inner, rest, part));
  }
  return new Value(value.type, members, value.isSensitive);
}

export function withMarks(value: Value, paths: readonly (readonly Step[])[]): Value {
  return paths.reduce((marked, path) => {
    const found = valueAt(marked, path);
    return found === undefined ? marked : withValueAt(marked, path, found.marked(true));
  }, value);
}

/** Returns the paths of the outermost sensitive values. */
export function sensitivePaths(value: Value): readonly (readonly Step[])[] {
  if (value.isSensitive) return [[]];
  return [...value.places()].flatMap(([step, part]) =>
    sensitivePaths(part).map((path) => [step, ...path]),
  );
}

/** Marks the sensitive attributes of an object, or of all objects in a collection. */
export function markedBySchema(value: Value, schema: SchemaBlock): Value {
  if (!schema.hasSensitive) return value;
  if (!isObject(value.type)) return value.withParts((part) => markedBySchema(part, schema));
  return value.withParts((part, name) => {
    const attribute = schema.attributes.get(String(name));
    if (attribute?.isSensitive === true) return part.marked(true);
    const nested = attribute?.nested ?? schema.blocks.get(String(name));
    return nested === undefined ? part : markedBySchema(part, nested.block);
  });
}
