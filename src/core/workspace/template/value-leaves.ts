import { isToken } from "../../construct";
import { isRecord } from "../../json/plain-json";

type Path = readonly (string | number)[];

/** Returns the values inside maps and lists with their paths, and tokens among the keys of maps. */
export function* valueLeaves(
  value: unknown,
  path: Path = [],
): Generator<readonly [path: Path, value: unknown]> {
  if (isRecord(value) && !isToken(value)) {
    const isList = Array.isArray(value);
    for (const [name, each] of Object.entries(value)) {
      if (isToken(name)) yield [path, name];
      const key = isToken(name) ? "(unknown)" : name;
      yield* valueLeaves(each, [...path, isList ? Number(name) : key]);
    }
  } else yield [path, value];
}
