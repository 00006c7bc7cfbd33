import { problemRule } from "../../schema";
import { zoneAliases } from "./zone-aliases";

let known: ReadonlySet<string> | undefined;

/**
 * Checks whether a string names a time zone: an IANA name with the correct case, `UTC`, the empty string, or
 * `Local`.
 *
 * The runtime accepts every zone but ignores case, and lists each zone under one name only. Our table has the
 * other names.
 */
export function isTimeZone(text: string): boolean {
  known ??= new Set(["", "UTC", "Local", ...Intl.supportedValuesOf("timeZone"), ...zoneAliases]);
  return known.has(text);
}

const must = "must be an IANA time zone with the correct case, such as Europe/Paris, or UTC";

/** The time zone of a schedule. */
export const timeZoneRule = problemRule(must, (text) => (isTimeZone(text) ? undefined : must));
