import { stringRule } from "../../schema";

const hyphenated = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const plain = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;
const wrapped = /^(?:urn:uuid:(.{36})|\{(.{36})\})$/i;

/** A UUID in the hyphenated form: hexadecimal digits in five groups, 36 characters. */
export const uuidRule = stringRule([
  [hyphenated, "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
]);

/**
 * Parses a UUID (RFC 9562) in any format: hyphenated, in braces, as `urn:uuid:…`, or 32 digits.
 *
 * Any version and variant is accepted, including the nil UUID.
 *
 * @returns the lowercase hyphenated form, or undefined if the string is not a UUID
 */
export function parseUuid(text: string): string | undefined {
  const [, urn, braced] = wrapped.exec(text) ?? [];
  const inner = (urn ?? braced ?? text).toLowerCase();
  if (hyphenated.test(inner)) return inner;
  if (inner !== text.toLowerCase()) return undefined;
  return plain.exec(inner)?.slice(1).join("-");
}

/** Checks whether a UUID, in the form that {@link parseUuid} returns, is the nil UUID (all zeros). */
export function isZeroUuid(uuid: string): boolean {
  return uuid === "00000000-0000-0000-0000-000000000000";
}
