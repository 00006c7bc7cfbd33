import { knownWarnings } from "../../src/core/schema";

/** The kind of rule that a table names, by the code in a message: that of a warning is more exact. */
export function kindOf(code: string): string {
  if (!knownWarnings().has(code)) return code;
  return code.startsWith("deprecated-") ? "DEPRECATED" : "ADVICE";
}
