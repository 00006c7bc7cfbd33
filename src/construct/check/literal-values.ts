import { isPlainObject } from "../../json/is-object";
import { UNKNOWN } from "../../schema";
import { isToken } from "../token/is-token";
import { tokenMisuse } from "../token/token-misuse";

type Values = Readonly<Record<string, unknown>>;

/** Whether a string contains `$${` or `%%{`, which Terraform reads as `${` or `%{`. */
export const hasEscapes = (value: string): boolean =>
  value.includes("{") && /([$%])\1\{/.test(value);

/** Replaces escapes by the characters that Terraform will read. */
export const literalText = (value: string): string =>
  hasEscapes(value) ? value.replaceAll(/([$%])\1(?=\{)/g, "$1") : value;

/**
 * What is known about values before synthesis, as Terraform will read them: the characters that escapes
 * represent, and `UNKNOWN` for tokens and misused tokens.
 *
 * Entries of maps whose keys are tokens are left out. The values are not changed.
 */
export function literalValues(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      isOpen(key) ? [] : [[literalText(key), literal(value)] as const],
    ),
  );
}

const isOpen = (value: unknown): boolean => isToken(value) || tokenMisuse(value) !== undefined;

function literal(value: unknown): unknown {
  if (isOpen(value)) return UNKNOWN;
  if (typeof value === "string") return literalText(value);
  if (Array.isArray(value)) return value.map(literal);
  return isPlainObject(value) ? literalValues(value) : value;
}
