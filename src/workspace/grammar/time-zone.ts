import { rule } from "../../schema";
import { zoneAliases } from "./zone-aliases";

let known: ReadonlySet<string> | undefined;

/**
 * Whether a text names a time zone: an IANA name in its own letter case, `UTC` or the empty text,
 * or `Local`.
 *
 * The runtime knows every zone but ignores letter case, and lists each under one of its names only;
 * the other names are in our table.
 */
export function isTimeZone(text: string): boolean {
  known ??= new Set(["", "UTC", "Local", ...Intl.supportedValuesOf("timeZone"), ...zoneAliases]);
  return known.has(text);
}

const must = "must be an IANA time zone in its own letter case, such as Europe/Paris, or UTC";

/** A time zone in which schedules are read. */
export const timeZoneRule = rule(must, (z) => z.string().check(z.refine(isTimeZone, must)));
