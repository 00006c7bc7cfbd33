import { isRecord } from "../../json/plain-json";
import type { Path } from "../../schema/finding";
import { UNKNOWN } from "../../schema/type";
import { equalValues } from "../cty/equal";
import { type CtyType, partOf } from "../cty/type";
import { containsUnknown } from "../cty/value";
import { type Problem, shown } from "./diagnostic";
import { member } from "./proposed-state";
import { isSingle, type SchemaBlock, type SchemaNested } from "./schema";

/**
 * Finds the problems for which Terraform refuses a result: known values of the plan must be unchanged, and
 * unknown values may become anything.
 *
 * Follows `AssertObjectCompatible` in Terraform's `internal/plans/objchange/compatible.go`. Terraform runs it
 * on the result of apply, and on the final plan that it creates before apply.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/internal/plans/objchange/compatible.go}
 */
export function resultProblems(
  schema: SchemaBlock,
  planned: unknown,
  actual: unknown,
  path: Path = [],
): Problem[] {
  if (planned === null && actual !== null)
    return [{ path, message: "was absent, but now present" }];
  if (planned !== null && actual === null)
    return [{ path, message: "was present, but now absent" }];
  if (planned === null) return [];
  return schema.type.object.flatMap(({ name, type }) => {
    const at = [...path, name];
    const [before, after] = [member(planned, name), member(actual, name)];
    const block = schema.blocks.get(name);
    if (block !== undefined) return blockProblems(block, before, after, at);
    const problems = valueProblems(type, before, after, at);
    if (schema.attributes.get(name)?.isSensitive !== true || problems.length === 0) return problems;
    return [{ path: at, message: "inconsistent values for sensitive attribute" }];
  });
}

function blockProblems(
  { nesting, block }: SchemaNested,
  planned: unknown,
  actual: unknown,
  path: Path,
): Problem[] {
  // An unknown number of blocks may turn out to be zero.
  if (planned === UNKNOWN || actual === UNKNOWN) return [];
  if (isSingle(nesting)) return resultProblems(block, planned, actual, path);
  if (!Array.isArray(planned) || !Array.isArray(actual)) return [];
  const before: readonly unknown[] = planned;
  const after: readonly unknown[] = actual;
  if (nesting === "set") {
    return setProblems(
      before,
      after,
      path,
      (one, other) => resultProblems(block, one, other, path).length === 0,
    );
  }
  if (before.length !== after.length) {
    return [{ path, message: `block count changed from ${before.length} to ${after.length}` }];
  }
  return before.flatMap((element, index) =>
    resultProblems(block, element, after[index], [...path, index]),
  );
}

function valueProblems(type: CtyType, planned: unknown, actual: unknown, path: Path): Problem[] {
  if (planned === UNKNOWN || equalValues(type, planned, actual)) return [];
  // A value of dynamic type is compared as a whole, and only if it was known as a whole.
  if (type === "dynamic" && containsUnknown(planned)) return [];
  const differs: Problem[] = [{ path, message: `was ${shown(planned)}, but now ${shown(actual)}` }];
  if (typeof type === "string" || !isRecord(planned) || !isRecord(actual)) return differs;
  if ("object" in type) {
    return type.object.flatMap(({ name, type: of }) =>
      valueProblems(of, member(planned, name), member(actual, name), [...path, name]),
    );
  }
  if ("set" in type) {
    return setProblems(
      Object.values(planned),
      Object.values(actual),
      path,
      (one, other) => valueProblems(type.set, one, other, path).length === 0,
    );
  }
  const [before, after] = [Object.keys(planned), Object.keys(actual)];
  const step = (key: string): string | number => ("map" in type ? key : Number(key));
  return [
    ...before.flatMap((key) => {
      const at = [...path, step(key)];
      if (!Object.hasOwn(actual, key)) return [{ path: at, message: "element has vanished" }];
      const of = partOf(type, step(key));
      return of === undefined ? differs : valueProblems(of, planned[key], actual[key], at);
    }),
    ...after
      .filter((key) => !Object.hasOwn(planned, key))
      .map((key) => ({ path: [...path, step(key)], message: "new element has appeared" })),
  ];
}

/**
 * Compares two sets. Elements have no identity, so each needs a matching element on the other side.
 *
 * @param matches checks whether two elements can be the same
 */
function setProblems(
  planned: readonly unknown[],
  actual: readonly unknown[],
  path: Path,
  matches: (planned: unknown, actual: unknown) => boolean,
): Problem[] {
  const lone = (of: string, other: string) => (element: unknown) => ({
    path,
    message: `${of} set element ${shown(element)} does not match any element ${other}`,
  });
  const problems = [
    ...planned
      .filter((element) => !actual.some((other) => matches(element, other)))
      .map(lone("planned", "in the result")),
    ...actual
      .filter((element) => !planned.some((other) => matches(other, element)))
      .map(lone("actual", "in the plan")),
  ];
  // Unknown elements may turn out to be equal and become one; there are never more than planned.
  if (actual.length <= planned.length) return problems;
  const message = `number of elements grew from ${planned.length} to ${actual.length}`;
  return [...problems, { path, message }];
}
