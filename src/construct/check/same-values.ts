import { isRecord } from "../../schema/wrong-type";

/** Whether two values are the same for Terraform; a property that is undefined is not there. */
export function sameValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isRecord(a) || !isRecord(b)) return false;
  if (Array.isArray(a) !== Array.isArray(b) || "resolve" in a || "resolve" in b) return false;
  for (const name in a) if (!sameValues(a[name], b[name])) return false;
  for (const name in b) if (b[name] !== undefined && !(name in a)) return false;
  return true;
}
