import type { Fields } from "../../schema/attribute";
import { formatPath, type Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import { isRecord } from "../../schema/wrong-type";
import type { CtyObjectType } from "../cty/type";
import { ctyTypeOf } from "./cty-type";
import { equalValues } from "./draft";

/** The paths whose change replaces the resource, sorted. */
export function replacement(fields: Fields, planned: Values, prior: Values): readonly Path[] {
  const paths: Path[] = [];
  collect(fields, ctyTypeOf(fields), planned, prior, [], paths);
  return paths
    .map((path) => ({ path, text: formatPath(path) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ path }) => path);
}

function collect(
  fields: Fields,
  { object }: CtyObjectType,
  planned: Values,
  prior: Values,
  at: Path,
  paths: Path[],
): void {
  const { attributes, blocks = {} } = fields;
  for (const { name, type } of object) {
    const attribute = attributes[name];
    const block = blocks[name];
    const [after, before] = [planned[name], prior[name]];
    if (attribute?.replace === true) {
      if (!equalValues(type, after, before)) paths.push([...at, name]);
    } else if (block !== undefined && replaces(block.fields)) {
      if (block.nesting === "set" || Array.isArray(after) !== Array.isArray(before)) {
        // An element of a set has no address of its own.
        if (!equalValues(type, after, before)) paths.push([...at, name]);
        continue;
      }
      const inner = ctyTypeOf(block.fields);
      const pairs: [unknown, unknown, Path][] =
        Array.isArray(after) && Array.isArray(before)
          ? Array.from({ length: Math.max(after.length, before.length) }, (_, index) => [
              after[index],
              before[index],
              [...at, name, index],
            ])
          : [[after, before, [...at, name]]];
      for (const [to, from, path] of pairs) {
        if (isRecord(to) && isRecord(from)) collect(block.fields, inner, to, from, path, paths);
        else if (to !== from) paths.push(path);
      }
    }
  }
}

/** Whether any attribute inside a block replaces the resource. */
function replaces({ attributes, blocks = {} }: Fields): boolean {
  return (
    Object.values(attributes).some((attribute) => attribute.replace === true) ||
    Object.values(blocks).some((block) => replaces(block.fields))
  );
}
