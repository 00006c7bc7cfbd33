/** Whether two values are the same for Terraform; a property that is undefined is not there. */
export function sameValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b) || "resolve" in a || "resolve" in b) return false;
  const left: Readonly<Record<string, unknown>> = { ...a };
  const right: Readonly<Record<string, unknown>> = { ...b };
  for (const name in left) if (!sameValues(left[name], right[name])) return false;
  for (const name in right) if (right[name] !== undefined && !(name in left)) return false;
  return true;
}
