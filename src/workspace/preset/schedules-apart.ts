import type { Breach, ResourceRule } from "../../schema";
import { parseSchedule, type Schedule, schedulesOverlap } from "./schedule-cron";

/** Forbids overlapping schedules of a preset. */
export const schedulesApart: ResourceRule<"schedules"> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  inputs: ["schedules"],
  doc: (label) => `\`${label("schedules")}\` must not overlap`,
  broken: ({ schedules }) => {
    if (!Array.isArray(schedules)) return undefined;
    const known: { readonly index: number; readonly cron: string; readonly schedule: Schedule }[] =
      [];
    const breaches: Breach<"schedules">[] = [];
    schedules.forEach((each: unknown, index) => {
      const cron = cronOf(each);
      const schedule = cron === undefined ? undefined : parseSchedule(cron);
      if (cron === undefined || schedule === undefined) return;
      const other = known.find((before) => schedulesOverlap(before.schedule, schedule));
      if (other !== undefined) {
        breaches.push({
          name: "schedules",
          path: [index, "cron"],
          message: `must not overlap with element ${other.index}, ${JSON.stringify(other.cron)} (got ${JSON.stringify(cron)})`,
        });
      }
      known.push({ index, cron, schedule });
    });
    return breaches;
  },
};

function cronOf(element: unknown): string | undefined {
  if (typeof element !== "object" || element === null || !("cron" in element)) return undefined;
  return typeof element.cron === "string" ? element.cron : undefined;
}
