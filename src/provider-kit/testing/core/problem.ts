import { UNKNOWN } from "../../../schema/unknown";
import type { Path } from "../../../schema/finding";

/** Something that a provider answered and that Terraform does not accept. */
export interface Problem {
  /** Where, in the declaration's names. */
  readonly path: Path;
  readonly message: string;
}

/** A value in a message. */
export function shown(value: unknown): string {
  if (value === UNKNOWN) return "(unknown)";
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    typeof inner === "bigint" ? String(inner) : inner === UNKNOWN ? "(unknown)" : inner,
  );
}

/**
 * The problems of two sets: elements have no identity, so each needs one on the other side with which it
 * goes together.
 *
 * @param goTogether whether two elements may be the same one
 */
export function setProblems(
  planned: readonly unknown[],
  actual: readonly unknown[],
  path: Path,
  goTogether: (planned: unknown, actual: unknown) => boolean,
): Problem[] {
  const lone = (of: string, other: string) => (element: unknown) => ({
    path,
    message: `${of} set element ${shown(element)} does not go together with any element ${other}`,
  });
  const problems = [
    ...planned
      .filter((element) => !actual.some((other) => goTogether(element, other)))
      .map(lone("planned", "in the result")),
    ...actual
      .filter((element) => !planned.some((other) => goTogether(other, element)))
      .map(lone("actual", "in the plan")),
  ];
  // Elements that were unknown may turn out to be equal, and are one then; they never become more.
  if (actual.length <= planned.length) return problems;
  const message = `number of elements grew from ${planned.length} to ${actual.length}`;
  return [...problems, { path, message }];
}
