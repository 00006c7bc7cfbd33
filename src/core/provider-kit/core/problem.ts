import { UNKNOWN } from "../../schema/unknown";
import type { Path } from "../../schema/finding";

/** A part of a provider's response that Terraform does not accept. */
export interface Problem {
  /** The path of the value, in the declaration's names. */
  readonly path: Path;
  readonly message: string;
}

/** Formats a value for a message, as JSON. */
export function shown(value: unknown): string {
  if (value === UNKNOWN) return "(unknown)";
  return JSON.stringify(value ?? null, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return String(inner);
    return inner === UNKNOWN ? "(unknown)" : inner;
  });
}

/**
 * Compares two sets. Elements have no identity, so each needs a matching element on the other side.
 *
 * @param matches checks whether two elements can be the same
 */
export function setProblems(
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
