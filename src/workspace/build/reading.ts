/** Gives a variable's text, undefined when it is absent or empty. */
export type ReadVariable = (variable: string) => string | undefined;

/**
 * What was made of a variable, or what is wrong with it.
 *
 * The problem is a whole sentence that names the variable and what it has to hold, never its value.
 */
export type Reading<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/**
 * Reads a JSON array of which each element is read by `element`, which gives undefined for what it
 * refuses. Absent, empty and `null` are the empty list: the platform writes all of them for "none".
 */
export function readJsonList<Element>(
  variable: string,
  text: string | undefined,
  elements: string,
  element: (value: unknown) => Element | undefined,
): Reading<readonly Element[]> {
  if (text === undefined || text.trim() === "") return { ok: true, value: [] };
  const refused = {
    ok: false,
    problem: `${variable} must hold ${elements}, or be empty.`,
  } as const;
  const parsed = parseJson(text);
  if (parsed === null) return { ok: true, value: [] };
  if (!Array.isArray(parsed)) return refused;
  const read = parsed.map(element);
  const value = read.filter((one) => one !== undefined);
  return value.length === read.length ? { ok: true, value } : refused;
}

/** Undefined when it is not JSON: the parser's own message would quote the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
