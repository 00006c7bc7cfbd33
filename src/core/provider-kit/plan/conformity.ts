import { isRecord } from "../../json/plain-json";
import { UNKNOWN } from "../../schema/type";
import type { Path } from "../../schema/finding";
import { equal, sameKey } from "../cty/equal";
import type { CtyType } from "../cty/type";
import { containsUnknown, first, unknownPath, type CtyValue } from "../cty/value";

/** A value in a handler's result that Terraform would not accept. */
interface Nonconformity {
  /** The place of the value, in the declaration's names. */
  readonly path: Path;
  readonly reason: "unknown" | "differs from the plan";
}

/**
 * Compares a handler's result with the plan.
 *
 * Where the plan is unknown, any known value is accepted. Everywhere else, the value must equal the
 * planned one.
 *
 * @returns the first difference; undefined without one
 */
export function nonconformity(
  type: CtyType,
  planned: unknown,
  actual: unknown,
  path: Path = [],
): Nonconformity | undefined {
  if (planned === UNKNOWN) return unknownIn(actual, path);
  if (containsUnknown(planned)) {
    if (!isRecord(actual)) return { path, reason: "differs from the plan" };
    return inside(type, planned, actual, path) ?? unknownIn(actual, path);
  }
  if (equal(type, (planned ?? null) as CtyValue, (actual ?? null) as CtyValue)) return undefined;
  return (
    unknownIn(actual, path) ??
    inside(type, planned, actual, path) ?? { path, reason: "differs from the plan" }
  );
}

/**
 * Returns the first difference inside an object, map, list or tuple; undefined when the whole value differs.
 */
function inside(
  type: CtyType,
  planned: unknown,
  actual: unknown,
  path: Path,
): Nonconformity | undefined {
  if (typeof type === "string" || !isRecord(planned) || !isRecord(actual)) return undefined;
  const differs: Nonconformity = { path, reason: "differs from the plan" };
  if ("object" in type) {
    return first(type.object, ({ name, type: of }) =>
      nonconformity(of, planned[name], actual[name], [...path, name]),
    );
  }
  if ("map" in type) {
    const keys = Object.keys(planned);
    if (keys.length !== Object.keys(actual).length) return differs;
    return first(keys, (key) =>
      nonconformity(type.map, planned[key], actual[sameKey(actual, key)], [...path, key]),
    );
  }
  if ("set" in type || !Array.isArray(planned) || !Array.isArray(actual)) return undefined;
  if (planned.length !== actual.length) return differs;
  return first([...planned.keys()], (index) => {
    const of = "list" in type ? type.list : type.tuple[index];
    return of === undefined
      ? differs
      : nonconformity(of, planned[index], actual[index], [...path, index]);
  });
}

function unknownIn(value: unknown, path: Path): Nonconformity | undefined {
  const found = unknownPath(value, path);
  return found && { path: found, reason: "unknown" };
}
