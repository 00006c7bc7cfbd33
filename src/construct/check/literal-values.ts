import { isPlainObject } from "../../json/is-object";
import { UNKNOWN } from "../../schema";
import { isToken } from "../token/is-token";
import { tokenMisuse } from "../token/token-misuse";

type Values = Readonly<Record<string, unknown>>;

/** Whether a text holds `$${` or `%%{`, which Terraform reads as `${` or `%{`. */
export const hasEscapes = (text: string): boolean => text.includes("{") && /([$%])\1\{/.test(text);

/** The letters that Terraform will read where a text holds escapes. */
export const literalText = (text: string): string =>
  hasEscapes(text) ? text.replaceAll(/([$%])\1(?=\{)/g, "$1") : text;

/**
 * What is certain of values before synthesis, as Terraform will read it: the letters that escapes stand
 * for, and `UNKNOWN` where there is a token, or something that is not used as one should be.
 *
 * Entries of maps whose keys are tokens are left out. Pure: the values stay as they are.
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
