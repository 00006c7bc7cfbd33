import { parsedJson } from "../../json/plain-json";

/** Returns the value of a variable, or undefined if it is missing or empty. */
export type ReadVariable = (variable: string) => string | undefined;

/**
 * The value of a variable, or the problem with it.
 *
 * The problem is a full sentence with the name of the variable and the expected content, never the value.
 */
export type Reading<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/**
 * Reads a JSON array. A missing or empty value and `null` are the empty list: the platform uses all three for
 * "none".
 *
 * @param elements the required content of the array, for the message
 * @param element reads one element; returns undefined if it is invalid
 */
export function readJsonList<Element>(
  variable: string,
  json: string | undefined,
  elements: string,
  element: (value: unknown) => Element | undefined,
): Reading<readonly Element[]> {
  if (json === undefined || json.trim() === "") return { ok: true, value: [] };
  const invalid = {
    ok: false,
    problem: `${variable} must contain ${elements}, or be empty.`,
  } as const;
  const parsed = parsedJson(json);
  if (parsed === null) return { ok: true, value: [] };
  if (!Array.isArray(parsed)) return invalid;
  const read = parsed.map(element);
  const value = read.filter((one) => one !== undefined);
  return value.length === read.length ? { ok: true, value } : invalid;
}
