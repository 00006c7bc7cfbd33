import { isRecord, type Properties } from "../json/is-object";

/**
 * Returns the known elements of a block with their path steps. A single block may be given without a list.
 */
export function knownElements(
  value: unknown,
): readonly (readonly [step: readonly number[], element: Properties])[] {
  if (!Array.isArray(value)) return isRecord(value) ? [[[], value]] : [];
  return value.flatMap((element: unknown, index) =>
    isRecord(element) ? [[[index], element] as const] : [],
  );
}
