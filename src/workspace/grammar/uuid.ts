import { stringRule } from "../../schema";

const hyphenated = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const plain = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;
const wrapped = /^(?:urn:uuid:(.{36})|\{(.{36})\})$/i;

/** A UUID in the usual form: 36 characters, hexadecimal digits in five groups. */
export const uuidRule = stringRule([
  [hyphenated, "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
]);

/**
 * Reads a UUID in any of its written forms: hyphenated, in braces, as `urn:uuid:…`, or 32 digits.
 *
 * Any version and variant passes, the all-zero one included.
 *
 * @returns the lower-case hyphenated form, or undefined when the text is no UUID
 */
export function parseUuid(text: string): string | undefined {
  const [, urn, braced] = wrapped.exec(text) ?? [];
  const inner = (urn ?? braced ?? text).toLowerCase();
  if (hyphenated.test(inner)) return inner;
  if (inner !== text.toLowerCase()) return undefined;
  return plain.exec(inner)?.slice(1).join("-");
}

/** Whether a UUID, in the form that {@link parseUuid} gives, is the all-zero one. */
export function isZeroUuid(uuid: string): boolean {
  return uuid === "00000000-0000-0000-0000-000000000000";
}
